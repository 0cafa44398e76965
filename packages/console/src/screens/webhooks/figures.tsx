/** Delivery statistics of an endpoint: recent results, response times, and backlog. */
import { useQuery } from '@tanstack/react-query';
import { figuresQuery } from '../../api/webhooks.ts';
import { duration, number, percent } from '../../parts/format.ts';
import { Since } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

export function Figures({ company, webhook }: { company: string; webhook: string }) {
  const { data: figures } = useQuery(figuresQuery(company, webhook));
  if (!figures) return null;
  const {
    ended,
    failed,
    failure_share: failureShare,
    since,
    answer_ms: responseMs,
    delay_ms: delayMs,
    waiting,
    waiting_more: waitingMore,
    oldest_waiting_at: oldestWaitingAt,
  } = figures;
  if (ended === 0 && waiting === 0) return null;
  return (
    <dl className="facts" aria-label={t`Metrics`}>
      {since && failureShare !== null && (
        <>
          <dt>{t`Failures`}</dt>
          <dd>
            {t`${number(failed)} of ${number(ended)} (${percent(failureShare)}) on the first attempt`}{' '}
            <Since at={since} />
          </dd>
        </>
      )}
      {responseMs && (
        <>
          <dt>{t`Response time`}</dt>
          <dd>{`${duration(responseMs.p50)}; p95 ${duration(responseMs.p95)}`}</dd>
        </>
      )}
      {delayMs && (
        <>
          <dt>{t`Delivery latency`}</dt>
          <dd>{`${duration(delayMs.p50)}; p95 ${duration(delayMs.p95)}`}</dd>
        </>
      )}
      <dt>{t`Waiting`}</dt>
      <dd>
        {waitingMore ? t`more than ${number(waiting)}` : number(waiting)}
        {oldestWaitingAt && (
          <>
            {' · '}
            {t`oldest`} <Since at={oldestWaitingAt} />
          </>
        )}
      </dd>
    </dl>
  );
}
