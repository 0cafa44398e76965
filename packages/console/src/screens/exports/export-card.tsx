import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { customFieldsQuery } from '../../api/custom-fields.ts';
import { type Export, isUnderWay, removeExport } from '../../api/exports.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { number, size } from '../../parts/format.ts';
import { Badge, Since, Time, type Tone } from '../../parts/small.tsx';
import { named, t, tn } from '../../parts/translate.ts';
import { contentOf, omittedName } from './content.ts';
import { kindNames, statusNames } from './names.ts';

const tones: Record<Export['status'], Tone> = {
  queued: 'waiting',
  processing: 'waiting',
  completed: 'good',
  failed: 'bad',
};

export function ExportCard({ company, job }: { company: string; job: Export }) {
  const [isConfirming, setConfirming] = useState(false);
  const { id, kind, status, filename, row_count: rowCount, omitted, failure, url } = job;
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  const isOne = kind === 'individual' || kind === 'personal_data';
  return (
    <li className={status === 'failed' ? 'card bad' : 'card'}>
      <div className="row spread">
        <strong className="url" id={id}>
          {filename}
        </strong>
        <span role="status">
          <Badge tone={tones[status]}>{named(statusNames, status)}</Badge>
        </span>
      </div>
      {isUnderWay(job) && <Progress job={job} />}
      {failure && <p className="field-error">{failure}</p>}
      <p className="quiet row">
        <span>{named(kindNames, kind)}</span>
        {!isOne && <span>{contentOf(job, custom)}</span>}
        {rowCount !== null && !isOne && (
          <span>{tn(rowCount, t`${number(rowCount)} person`, t`${number(rowCount)} people`)}</span>
        )}
        {job.size !== null && <span>{size(job.size)}</span>}
        <Time at={job.created_at} />
        <span>
          {t`expires`} <Since at={job.expires_at} />
        </span>
      </p>
      {omitted.length > 0 && (
        <p className="quiet">
          {t`Without:`} {omitted.map((name) => omittedName(name, custom)).join(', ')}
        </p>
      )}
      <div className="row">
        {url && (
          <a className="button primary" href={url} aria-describedby={id}>
            {t`Download`}
          </a>
        )}
        <Button aria-describedby={id} onClick={() => setConfirming(true)}>
          {isUnderWay(job) ? t`Stop` : t`Delete`}
        </Button>
      </div>
      {isConfirming && <Remove company={company} job={job} onClose={() => setConfirming(false)} />}
    </li>
  );
}

function Progress({ job: { id, progress } }: { job: Export }) {
  const { percent, rows_done: rowsDone, rows_total: rowsTotal } = progress;
  return (
    <>
      <progress className="full" max={100} value={percent} aria-labelledby={id} />
      <p className="quiet">
        {percent} %
        {rowsTotal !== null &&
          ` · ${tn(rowsTotal, t`${number(rowsDone)} of ${number(rowsTotal)} person`, t`${number(rowsDone)} of ${number(rowsTotal)} people`)}`}
      </p>
    </>
  );
}

function Remove({ company, job, onClose }: { company: string; job: Export; onClose(): void }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeExport(company, job.id),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'exports'] }),
  });
  const title = isUnderWay(job) ? t`Stop` : t`Delete`;
  return (
    <Confirm
      open
      danger
      title={title}
      about={
        isUnderWay(job)
          ? t`${job.filename} won't be created. You can export it again at any time.`
          : t`${job.filename} can't be downloaded anymore, not even with links that you shared. You can export it again.`
      }
      actionLabel={title}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
