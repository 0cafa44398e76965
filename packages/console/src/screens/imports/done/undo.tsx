/** Undo of an import: previews the people to delete and to keep, then shows the result. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { permissionsQuery } from '../../../api/client/session.ts';
import { type Import, type ImportUndo, undoImport, undoQuery } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { moment, number } from '../../../parts/format.ts';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { named, t, tn } from '../../../parts/translate.ts';
import { undoReasons } from '../names.ts';

export function Undo({ company, job }: { company: string; job: Import }) {
  const [isConfirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = (rights?.has('undoImport') && rights.has('deleteCollaborator')) ?? false;
  const { data: undo, error, refetch } = useQuery({ ...undoQuery(company, job.id), enabled: may });
  const { status } = undo ?? {};
  useEffect(() => {
    if (status === 'completed') void queries.invalidateQueries({ queryKey: [company, 'people'] });
  }, [status, company, queries]);
  if (error) return <Problem error={error} retry={refetch} />;
  if (!may || !undo || !['available', 'running', 'completed'].includes(undo.status)) return null;
  return (
    <section className="panel" aria-labelledby="undo">
      <h2 id="undo">{undo.status === 'completed' ? t`This import was undone` : t`Undo this import`}</h2>
      {undo.status === 'available' && undo.removed_count > 0 && (
        <>
          <p>
            {t`You can delete the people that this import added until ${moment(undo.until!)}. People who have changed since stay.`}
          </p>
          <Button onClick={() => setConfirming(true)}>{t`Undo the import`}</Button>
        </>
      )}
      {undo.status === 'available' && undo.removed_count === 0 && (
        <p>{t`Nobody can be deleted: everyone this import added has changed since, or is gone.`}</p>
      )}
      <div role="status" className="full">
        {undo.status === 'running' && <p>{t`People are being deleted: ${number(undo.removed_count)} so far.`}</p>}
        {undo.status === 'completed' && <p>{deletedText(undo.removed_count)}</p>}
      </div>
      {undo.status !== 'running' && !isConfirming && <KeptPeople company={company} undo={undo} />}
      {isConfirming && <UndoDialog company={company} job={job} undo={undo} onClose={() => setConfirming(false)} />}
    </section>
  );
}

function deletedText(count: number): string {
  return tn(
    count,
    t`${number(count)} person was deleted. For 30 days, you can restore them.`,
    t`${number(count)} people were deleted. For 30 days, you can restore them.`,
  );
}

interface UndoDialogProps {
  company: string;
  job: Import;
  undo: ImportUndo;
  onClose(): void;
}

function UndoDialog({ company, job, undo, onClose }: UndoDialogProps) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undoImport(company, job.id),
    onSuccess: (now) => {
      queries.setQueryData(undoQuery(company, job.id).queryKey, now);
      toast(t`The import is being undone`);
      onClose();
    },
  });
  const count = undo.removed_count;
  const about = tn(
    count,
    t`${number(count)} person will be deleted. Each deletion is sent to your webhooks.`,
    t`${number(count)} people will be deleted. Each deletion is sent to your webhooks.`,
  );
  return (
    <Confirm
      open
      danger
      title={t`Undo the import`}
      about={about}
      actionLabel={tn(count, t`Delete ${number(count)} person`, t`Delete ${number(count)} people`)}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      <KeptPeople company={company} undo={undo} />
    </Confirm>
  );
}

function KeptPeople({ company, undo: { kept, people } }: { company: string; undo: ImportUndo }) {
  if (kept.length === 0) return null;
  return (
    <>
      <h3>{t`Not deleted`}</h3>
      <ul className="counts">
        {kept.map(({ reason, count }) => (
          <li key={reason}>
            {number(count)} · {named(undoReasons, reason)}
          </li>
        ))}
      </ul>
      <ul className="names kept-people">
        {people.map(({ id, name, reason }) => (
          <li key={id}>
            <Link to="/$company/people/$person" params={{ company, person: id }}>
              {name}
            </Link>{' '}
            <span className="quiet">{named(undoReasons, reason)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
