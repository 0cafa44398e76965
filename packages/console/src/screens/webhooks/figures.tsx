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
    <dl className="facts" aria-label={t('figures')}>
      {since && failure_share !== null && (
        <>
          <dt>{t('figures.failed')}</dt>
          <dd>
            {t('figures.failed.of', { failed, ended, share: percent(failure_share) })} <Since at={since} />
          </dd>
        </>
      )}
      {answer_ms && (
        <>
          <dt>{t('figures.answer')}</dt>
          <dd>{t('figures.quantiles', { p50: duration(answer_ms.p50), p95: duration(answer_ms.p95) })}</dd>
        </>
      )}
      {delay_ms && (
        <>
          <dt>{t('figures.delay')}</dt>
          <dd>{t('figures.quantiles', { p50: duration(delay_ms.p50), p95: duration(delay_ms.p95) })}</dd>
        </>
      )}
      <dt>{t('figures.waiting')}</dt>
      <dd>
        {t(waiting_more ? 'figures.waiting.more' : 'figures.waiting.count', { waiting })}
        {oldest_waiting_at && (
          <>
            {' · '}
            {t('figures.waiting.oldest')} <Since at={oldest_waiting_at} />
          </>
        )}
      </dd>
    </dl>
  );
}
