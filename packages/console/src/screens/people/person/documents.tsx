/** A person's documents: upload, preview, and deletion with a confirmation. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../api/client/client.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import {
  type Document,
  type DocumentType,
  documentsPage,
  removeDocument,
  uploadDocument,
} from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm, Dialog } from '../../../parts/dialog.tsx';
import { ExplainedError } from '../../../parts/errors/explained-error.ts';
import { Problem, reasonOf } from '../../../parts/errors/problem.tsx';
import { FilePicker } from '../../../parts/fields/file-picker.tsx';
import { size } from '../../../parts/format.ts';
import { NextPageProblem } from '../../../parts/lists/next-page.tsx';
import { Empty, Loading, Time } from '../../../parts/small.tsx';
import { named, t, useLanguage } from '../../../parts/translate.ts';
import { documentTypes } from '../fields.ts';
import { documentTypeNames } from '../names.ts';
import { useRelation } from '../relation.ts';

export function Documents() {
  useLanguage();
  const { company, person } = useParams({ from: '/$company/people/$person' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const list = useInfiniteQuery({
    queryKey: [company, 'people', person, 'documents'],
    queryFn: ({ pageParam }) => documentsPage(company, person, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const error = list.isFetchNextPageError ? undefined : list.error;
  const documents = list.data?.pages.flatMap(({ data }) => data);
  return (
    <section className="panel" aria-labelledby="documents">
      <h2 id="documents">{t`Documents`}</h2>
      {rights?.has('uploadDocument') && <Upload company={company} person={person} />}
      {error && <Problem error={error} retry={list.refetch} />}
      {!documents && !error && <Loading />}
      {documents?.length === 0 && <Empty title={t`No documents yet`} />}
      <ul className="cards full">
        {documents?.map((document) => (
          <OneDocument
            key={document.id}
            company={company}
            document={document}
            mayRemove={rights?.has('deleteDocument') ?? false}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t`Show more`}
        </Button>
      )}
      <NextPageProblem list={list} />
    </section>
  );
}

/** Statuses of errors that concern a single file. */
const refusals = [400, 413, 415, 422];

function Upload({ company, person }: { company: string; person: string }) {
  const queries = useQueryClient();
  const types = documentTypes(useRelation(company, person));
  const [chosen, setType] = useState<DocumentType>();
  const type = chosen ?? types[0]!;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (files: File[]) => uploadAll(files, (file) => uploadDocument(company, person, file, type)),
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'people', person] }),
  });
  return (
    <>
      <label className="field short">
        <span>{t`Document type`}</span>
        <select value={type} onChange={({ target }) => setType(target.value as DocumentType)}>
          {types.map((each) => (
            <option key={each} value={each}>
              {named(documentTypeNames, each)}
            </option>
          ))}
        </select>
      </label>
      <FilePicker
        label={t`Add documents (up to 10 MB each)`}
        hint={t`PDF, Word (docx), Excel (xlsx), OpenDocument, photos (also HEIC), plain text, and CSV.`}
        busy={isPending}
        onFiles={(files) => files.length > 0 && mutate(files)}
      />
      {error instanceof NotUploaded &&
        error.failures.map(({ names, error: each }) => <Problem key={names} error={each} subject={names} />)}
    </>
  );
}

interface UploadFailure {
  names: string;
  error: unknown;
}

class NotUploaded extends ExplainedError {
  override name = 'NotUploaded';
  readonly failures: readonly UploadFailure[];

  constructor(failures: readonly UploadFailure[]) {
    super(failures.map(({ names, error }) => `${names}: ${reasonOf(error)}`).join(' '));
    this.failures = failures;
  }
}

/** Continues after a rejected file, and stops at other errors. @throws NotUploaded */
async function uploadAll(files: readonly File[], upload: (file: File) => Promise<unknown>): Promise<void> {
  const failures: UploadFailure[] = [];
  for (const [index, file] of files.entries()) {
    try {
      await upload(file);
    } catch (error) {
      const isRefused = error instanceof ApiError && refusals.includes(error.status);
      const missing = isRefused ? [file] : files.slice(index);
      failures.push({ names: missing.map(({ name }) => name).join(', '), error });
      if (!isRefused) break;
    }
  }
  if (failures.length > 0) throw new NotUploaded(failures);
}

function OneDocument({ company, document, mayRemove }: { company: string; document: Document; mayRemove: boolean }) {
  const queries = useQueryClient();
  const [openDialog, setOpenDialog] = useState<'look' | 'remove'>();
  const close = () => setOpenDialog(undefined);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeDocument(company, document.collaborator_id, document.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people', document.collaborator_id] }),
  });
  const isPicture = document.media_type.startsWith('image/');
  // Phones have no embedded PDF viewer; there the file opens separately.
  const isPaper = document.media_type === 'application/pdf' && navigator.pdfViewerEnabled;
  return (
    <li className="card">
      <div className="row spread">
        <span className="url">
          <strong>{document.name}</strong>
        </span>
        <span className="row">
          {(isPicture || isPaper) && <Button onClick={() => setOpenDialog('look')}>{t`View`}</Button>}
          <a className="button" href={document.url} target="_blank" rel="noreferrer">
            {t`Open`}
          </a>
          {mayRemove && (
            <Button kind="danger" aria-label={t`Remove ${document.name}`} onClick={() => setOpenDialog('remove')}>
              {t`Remove`}
            </Button>
          )}
        </span>
      </div>
      <p className="quiet row">
        <span>{named(documentTypeNames, document.type)}</span>
        <span>{size(document.size)}</span>
        <Time at={document.uploaded_at} short={false} />
      </p>
      {document.description && <p>{document.description}</p>}
      <Dialog open={openDialog === 'look'} wide title={document.name} onClose={close}>
        {isPaper ? (
          <iframe className="preview paper" src={document.url} title={document.name} />
        ) : (
          <img className="preview" src={document.url} alt={document.name} />
        )}
      </Dialog>
      <Confirm
        open={openDialog === 'remove'}
        title={t`Remove the document`}
        about={t`${document.name} is deleted for everyone. This can't be undone.`}
        actionLabel={t`Remove the document`}
        danger
        busy={isPending}
        error={error}
        onClose={close}
        onConfirm={() => mutate()}
      />
    </li>
  );
}
