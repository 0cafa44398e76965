/** How sending to an endpoint goes, in a few figures: what ended lately, how long answers take, and what waits. */
import { useQuery } from '@tanstack/react-query';
import { figuresQuery } from '../../api/webhooks.ts';
import { duration, percent } from '../../parts/format.ts';
import { Since } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';

export function Figures({ company, webhook }: { company: string; webhook: string }) {
  const { data: figures } = useQuery(figuresQuery(company, webhook));
  if (!figures) return null;
  const { ended, failed, failure_share, since, answer_ms, delay_ms, waiting, waiting_more, oldest_waiting_at } =
    figures;
  if (ended === 0 && waiting === 0) return null;
  return (
    <dl className="facts" aria-label={t`Metrics`}>
      {since && failure_share !== null && (
        <>
          <dt>{t`Failed`}</dt>
          <dd>
            {t`${failed} of ${ended} (${percent(failure_share)}) on the first attempt`} <Since at={since} />
          </dd>
        </>
      )}
      {answer_ms && (
        <>
          <dt>{t`Response time`}</dt>
          <dd>{`${duration(answer_ms.p50)}; p95 ${duration(answer_ms.p95)}`}</dd>
        </>
      )}
      {delay_ms && (
        <>
          <dt>{t`Delivery latency`}</dt>
          <dd>{`${duration(delay_ms.p50)}; p95 ${duration(delay_ms.p95)}`}</dd>
        </>
      )}
      <dt>{t`Waiting`}</dt>
      <dd>
        {waiting_more ? t`more than ${waiting}` : waiting}
        {oldest_waiting_at && (
          <>
            {' · '}
            {t`oldest`} <Since at={oldest_waiting_at} />
          </>
        )}
      </dd>
    </dl>
  );
}
