/** Import progress, with a cancel button. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelImport, type Import } from '../../api/imports.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { number } from '../../parts/format.ts';
import { t, tn } from '../../parts/translate.ts';
import { Counts } from './done/outcome.tsx';
import { stateOf } from './import-state.ts';
import { stateNames } from './names.ts';

export function UnderWay({ company, job }: { company: string; job: Import }) {
  const [isConfirming, setConfirming] = useState(false);
  const { rows_done: rowsDone, rows_total: rowsTotal, percent } = job.progress;
  return (
    <section className="panel" aria-labelledby="progress">
      <h2 id="progress">{stateNames()[stateOf(job)]}</h2>
      <progress className="full" max={100} value={percent} aria-labelledby="progress" />
      <p className="quiet">
        {percent} %
        {rowsTotal !== null &&
          ` · ${tn(rowsTotal, t`${number(rowsDone)} of ${number(rowsTotal)} row`, t`${number(rowsDone)} of ${number(rowsTotal)} rows`)}`}
      </p>
      <Counts job={job} />
      <Button onClick={() => setConfirming(true)}>{t`Stop the import`}</Button>
      {isConfirming && <Stop company={company} job={job} onClose={() => setConfirming(false)} />}
    </section>
  );
}

interface StopProps {
  company: string;
  job: Import;
  onClose(): void;
}

/** Cancels an import or discards a dry run. */
export function Stop({ company, job, onClose }: StopProps) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => cancelImport(company, job.id),
    onSuccess: (now) => {
      queries.setQueryData([company, 'imports', job.id], now);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'imports'] }),
  });
  const [title, about] = job.dry_run
    ? [t`Discard`, t`Nothing is imported, and the file is deleted.`]
    : [
        t`Stop the import`,
        job.on_error === 'abort'
          ? t`It stops right away, and nothing is kept.`
          : t`It stops right away. People who were already added or changed stay as they are.`,
      ];
  return (
    <Confirm
      open
      danger
      title={title}
      about={about}
      actionLabel={title}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
