/** Resends a range of failed or canceled deliveries. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { redeliverRange } from '../../../api/webhooks.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm, Dialog } from '../../../parts/dialog.tsx';
import { TimeField } from '../../../parts/fields/time-field.tsx';
import { isoOf, localOf, number, timeZone } from '../../../parts/format.ts';
import { named, t, tn } from '../../../parts/translate.ts';
import { deliveryStatusNames } from '../names.ts';

const dayMs = 86_400_000;
const statuses = ['failed', 'cancelled', 'succeeded'] as const;
type Status = (typeof statuses)[number];

interface SendRangeProps {
  company: string;
  webhook: string;
  onClose(): void;
}

export function SendRange({ company, webhook, onClose }: SendRangeProps) {
  const queries = useQueryClient();
  const [from, setFrom] = useState(() => localOf(new Date(Date.now() - dayMs).toISOString()));
  const [to, setTo] = useState('');
  const [status, setStatus] = useState<Status | ''>('');
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => {
      const range = { from: isoOf(from), ...(to && { to: isoOf(to) }), ...(status && { status }) };
      return redeliverRange(company, webhook, range);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'webhooks', webhook] }),
  });
  if (data) {
    return (
      <Dialog
        open
        title={t`Resend a range`}
        about={
          data.delivery_count === 0
            ? t`No deliveries in this time range.`
            : tn(
                data.delivery_count,
                t`${number(data.delivery_count)} delivery is being resent.`,
                t`${number(data.delivery_count)} deliveries are being resent.`,
              )
        }
        onClose={onClose}
      >
        <div className="actions">
          <Button kind="primary" onClick={onClose}>
            {t`Close`}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Confirm
      open
      title={t`Resend a range`}
      about={t`Resends the deliveries created in a time range, oldest first, each with its retries.`}
      actionLabel={t`Resend the range`}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={mutate}
    >
      <TimeField label={t`From`} required value={from} onChange={setFrom} />
      <TimeField label={t`Until`} hint={`${t`Leave empty for now.`} ${timeZone()}`} value={to} onChange={setTo} />
      <label className="field">
        <span>{t`Status`}</span>
        <select value={status} onChange={({ target }) => setStatus(target.value as Status | '')}>
          <option value="">{t`Failed or canceled`}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {named(deliveryStatusNames, each)}
            </option>
          ))}
        </select>
      </label>
    </Confirm>
  );
}
