import type { Delivery, Webhook } from '../../../api/webhooks.ts';
import { Badge, type Tone } from '../../../parts/small.tsx';
import { named, t } from '../../../parts/translate.ts';
import { deliveryErrorNames, deliveryStatusNames } from '../names.ts';

const tones: Record<Delivery['status'], Tone> = {
  pending: 'waiting',
  delivering: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
};

/** Shows a pending delivery with failed attempts as retrying. */
export function DeliveryBadge({ delivery }: { delivery: Pick<Delivery, 'status' | 'attempt_count'> }) {
  const { status, attempt_count: attemptCount } = delivery;
  if (status === 'pending' && attemptCount > 0) return <Badge tone="waiting">{t`Retrying`}</Badge>;
  return <Badge tone={tones[status]}>{named(deliveryStatusNames, status)}</Badge>;
}

export function WebhookBadge({ webhook }: { webhook: Pick<Webhook, 'status' | 'consecutive_failures'> }) {
  if (webhook.status === 'deactivated') return <Badge tone="bad">{t`Disabled`}</Badge>;
  if (webhook.consecutive_failures > 0) return <Badge tone="waiting">{t`Failing`}</Badge>;
  return <Badge tone="good">{t`Active`}</Badge>;
}

/** Result of the last attempt: the response status, or why there was no response. */
export function Outcome({ code, reason }: { code: number | null; reason: string | null }) {
  if (code !== null) return <code>{code}</code>;
  return reason === null ? <span className="quiet">–</span> : <span>{named(deliveryErrorNames, reason)}</span>;
}
