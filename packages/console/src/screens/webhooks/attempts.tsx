import type { Attempt, Delivery } from '../../api/webhooks.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { duration } from '../../parts/format.ts';
import { Badge, Empty, Since, Time } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';
import { Outcome } from './status-badge.tsx';

/**
 * The last one first, and in each the answer before what was sent, which is long: that is what somebody comes for. Only the last
 * one is open.
 */
export function Attempts({ attempts, status }: { attempts: readonly Attempt[]; status: Delivery['status'] }) {
  if (attempts.length === 0) {
    return (
      <Empty title={t(status === 'cancelled' ? 'attempts.cancelled' : 'attempts.none')}>
        {status === 'cancelled' && <p>{t('attempts.cancelled.more')}</p>}
      </Empty>
    );
  }
  return attempts
    .toReversed()
    .map((attempt, at) => <Attempted key={attempt.number} attempt={attempt} open={at === 0} />);
}

function Attempted({ attempt, open }: { attempt: Attempt; open: boolean }) {
  const { number, manual, started_at, duration_ms, status_code, error_class, error, request } = attempt;
  const is_good = status_code !== null && status_code >= 200 && status_code < 300;
  return (
    <details className="attempt" open={open}>
      <summary>
        <span className="row">
          <strong>{t('attempt', { number })}</strong>
          <Badge tone={is_good ? 'good' : 'bad'}>
            <Outcome code={status_code} reason={error_class} />
          </Badge>
          <Time at={started_at} />
          <span className="quiet">{duration(duration_ms)}</span>
          {manual && <span className="quiet">{t('attempt.manual')}</span>}
        </span>
      </summary>
      {error && <p className="advice">{error}</p>}
      {attempt.next_attempt_at && Date.parse(attempt.next_attempt_at) > Date.now() && (
        <p className="quiet">
          {t('delivery.next')}: <Since at={attempt.next_attempt_at} />
        </p>
      )}
      <h3>{t('answer')}</h3>
      {attempt.response_headers === null ? (
        <p className="quiet">{t('answer.none')}</p>
      ) : (
        <>
          <CodeBlock title={t('headers')} text={lines(attempt.response_headers)} />
          {attempt.response_excerpt ? (
            <CodeBlock title={t('answer.body')} text={attempt.response_excerpt} />
          ) : (
            <p className="quiet">{t('answer.empty')}</p>
          )}
        </>
      )}
      {request ? (
        <>
          <h3>{t('sent')}</h3>
          <p className="url">
            <code>POST {request.url}</code>
          </p>
          <CodeBlock title={t('headers')} text={lines(request.headers)} />
          <CodeBlock title={t('body')} text={readable(request.body)} />
        </>
      ) : (
        <p className="quiet">{t('sent.nothing')}</p>
      )}
    </details>
  );
}

function lines(headers: readonly { name: string; value: string }[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

/** JSON with its members on lines of their own; what is none, as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
