import type { Attempt, Delivery } from '../../../api/webhooks.ts';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { duration } from '../../../parts/format.ts';
import { Badge, Empty, Since, Time } from '../../../parts/small.tsx';
import { t } from '../../../parts/translate.ts';
import { Outcome } from './status-badge.tsx';

/** Attempts, last first and expanded. The response comes before the request, which is long and less interesting. */
export function Attempts({ attempts, status }: { attempts: readonly Attempt[]; status: Delivery['status'] }) {
  if (attempts.length === 0) {
    return (
      <Empty title={status === 'cancelled' ? t`Canceled before the first attempt` : t`No attempts yet`}>
        {status === 'cancelled' && (
          <p>{t`The endpoint was disabled. When it's enabled again, you can resend this delivery.`}</p>
        )}
      </Empty>
    );
  }
  return attempts
    .toReversed()
    .map((attempt, at) => <Attempted key={attempt.number} attempt={attempt} open={at === 0} />);
}

function Attempted({ attempt, open }: { attempt: Attempt; open: boolean }) {
  const {
    number,
    manual,
    started_at: startedAt,
    duration_ms: durationMs,
    status_code: statusCode,
    error_class: errorClass,
    error,
    request,
  } = attempt;
  const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return (
    <details className="attempt" open={open}>
      <summary>
        <span className="row">
          <strong>{t`Attempt ${number}`}</strong>
          <Badge tone={isGood ? 'good' : 'bad'}>
            <Outcome code={statusCode} reason={errorClass} />
          </Badge>
          <Time at={startedAt} />
          <span className="quiet">{duration(durationMs)}</span>
          {manual && <span className="quiet">{t`sent manually`}</span>}
        </span>
      </summary>
      {error && <p className="advice">{error}</p>}
      {attempt.next_attempt_at && Date.parse(attempt.next_attempt_at) > Date.now() && (
        <p className="quiet">
          {t`Next attempt`}: <Since at={attempt.next_attempt_at} />
        </p>
      )}
      <h3>{t`Response`}</h3>
      {attempt.response_headers === null ? (
        <p className="quiet">{t`No response was received.`}</p>
      ) : (
        <>
          <CodeBlock title={t`Headers`} text={lines(attempt.response_headers)} />
          {attempt.response_excerpt ? (
            <CodeBlock title={t`Start of the body`} text={attempt.response_excerpt} />
          ) : (
            <p className="quiet">{t`The response had no body.`}</p>
          )}
        </>
      )}
      {request ? (
        <>
          <h3>{t`Request`}</h3>
          <p className="url">
            <code>POST {request.url}</code>
          </p>
          <CodeBlock title={t`Headers`} text={lines(request.headers)} />
          <CodeBlock title={t`Body`} text={formatBody(request.body)} />
        </>
      ) : (
        <p className="quiet">{t`The request is no longer stored, or nothing could be sent.`}</p>
      )}
    </details>
  );
}

function lines(headers: readonly { name: string; value: string }[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

/** Pretty-prints JSON; returns anything else unchanged. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
