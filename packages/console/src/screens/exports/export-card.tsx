import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Export, isUnderWay, removeExport } from '../../api/exports.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { size } from '../../parts/format.ts';
import { Badge, Since, Time, type Tone } from '../../parts/small.tsx';
import { named, t } from '../../parts/words.ts';

const tones: Record<Export['status'], Tone> = {
  queued: 'waiting',
  processing: 'waiting',
  completed: 'good',
  failed: 'bad',
};

export function ExportCard({ company, job }: { company: string; job: Export }) {
  const [asked, setAsked] = useState(false);
  const { id, kind, status, filename, row_count, omitted, failure, url } = job;
  const is_one = kind === 'individual' || kind === 'personal_data';
  return (
    <li className={status === 'failed' ? 'card bad' : 'card'}>
      <div className="row spread">
        <strong className="url" id={id}>
          {filename}
        </strong>
        <span role="status">
          <Badge tone={tones[status]}>{named('export.status', status)}</Badge>
        </span>
      </div>
      {isUnderWay(job) && <Progress job={job} />}
      {failure && <p className="fault">{failure}</p>}
      <p className="quiet row">
        <span>{named('export.kind', kind)}</span>
        {row_count !== null && !is_one && <span>{t('people.count', { count: row_count })}</span>}
        {job.size !== null && <span>{size(job.size)}</span>}
        <Time at={job.created_at} />
        <span>
          {t('export.ends')} <Since at={job.expires_at} />
        </span>
      </p>
      {omitted.length > 0 && (
        <p className="quiet">
          {t('export.omitted')} {omitted.map((name) => named('export.part', name)).join(', ')}
        </p>
      )}
      <div className="row">
        {url && (
          <a className="button primary" href={url} aria-describedby={id}>
            {t('export.download')}
          </a>
        )}
        <Button aria-describedby={id} onClick={() => setAsked(true)}>
          {t(isUnderWay(job) ? 'export.stop' : 'export.delete')}
        </Button>
      </div>
      {asked && <Remove company={company} job={job} onClose={() => setAsked(false)} />}
    </li>
  );
}

function Progress({ job: { id, progress } }: { job: Export }) {
  const { percent, rows_done, rows_total } = progress;
  return (
    <>
      <progress className="full" max={100} value={percent} aria-labelledby={id} />
      <p className="quiet">
        {percent} %{rows_total !== null && ` · ${t('export.rows-done', { done: rows_done, count: rows_total })}`}
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
  const title = t(isUnderWay(job) ? 'export.stop' : 'export.delete');
  return (
    <Confirm
      open
      danger
      title={title}
      about={t(isUnderWay(job) ? 'export.stop.about' : 'export.delete.about', { name: job.filename })}
      act={title}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
