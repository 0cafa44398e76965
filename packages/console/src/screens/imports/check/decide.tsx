/** After a dry run: commit it or cancel it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/client/client.ts';
import { commitImport, type Import } from '../../../api/imports.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { number } from '../../../parts/format.ts';
import { t, tn } from '../../../parts/translate.ts';
import { storedFileFor } from '../file/uploaded-file.ts';
import { useCheck } from '../file/use-check.ts';
import { Stop } from '../import-progress.tsx';

export function Decide({ company, job }: { company: string; job: Import }) {
  const [openDialog, setOpenDialog] = useState<'commit' | 'discard'>();
  const onClose = () => setOpenDialog(undefined);
  const { created, updated, failed } = job.counts;
  const count = created + updated;
  return (
    <div className="row">
      {count > 0 && (
        <Button kind={failed > 0 ? 'plain' : 'primary'} onClick={() => setOpenDialog('commit')}>
          {failed > 0
            ? tn(
                count,
                t`Import ${number(count)} person without the rows that have errors`,
                t`Import ${number(count)} people without the rows that have errors`,
              )
            : tn(count, t`Import ${number(count)} person`, t`Import ${number(count)} people`)}
        </Button>
      )}
      <Button onClick={() => setOpenDialog('discard')}>{t`Discard`}</Button>
      {openDialog === 'commit' && <Commit company={company} job={job} count={count} onClose={onClose} />}
      {openDialog === 'discard' && <Stop company={company} job={job} onClose={onClose} />}
    </div>
  );
}

interface CommitProps {
  company: string;
  job: Import;
  count: number;
  onClose(): void;
}

function Commit({ company, job, count, onClose }: CommitProps) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => commitImport(company, job.id),
    onSuccess: (now) => {
      queries.setQueryData([company, 'imports', job.id], now);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'imports'] }),
  });
  // The records have changed since the dry run, so its result is outdated.
  const stored = storedFileFor(job.id);
  const recheck = useCheck(company, job);
  const { created, updated, failed } = job.counts;
  const about = [
    created > 0
      ? tn(created, t`${number(created)} person will be added.`, t`${number(created)} people will be added.`)
      : '',
    updated > 0
      ? tn(updated, t`${number(updated)} person will be changed.`, t`${number(updated)} people will be changed.`)
      : '',
    failed > 0
      ? tn(
          failed,
          t`${number(failed)} row with errors will be skipped.`,
          t`${number(failed)} rows with errors will be skipped.`,
        )
      : '',
    job.send_invitations && created > 0 ? t`Everyone who is added gets an email.` : '',
    t`Each change is sent to your webhooks.`,
  ];
  return (
    <Confirm
      open
      title={tn(count, t`Import ${number(count)} person`, t`Import ${number(count)} people`)}
      about={about.filter(Boolean).join(' ')}
      actionLabel={t`Import now`}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      {error instanceof ApiError && error.status === 409 && stored && (
        <Button busy={recheck.isPending} onClick={() => recheck.mutate(stored)}>
          {t`Check the file again`}
        </Button>
      )}
    </Confirm>
  );
}
