/** Sends a range of deliveries again: those that failed, or were cancelled. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendRangeAgain } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { isoOf, localOf, timeZone } from '../../parts/format.ts';
import { named, t } from '../../parts/words.ts';

const day_ms = 86_400_000;
const possible = ['failed', 'cancelled', 'succeeded'] as const;
type Status = (typeof possible)[number];

interface SendRangeProps {
  company: string;
  webhook: string;
  onClose(): void;
}

export function SendRange({ company, webhook, onClose }: SendRangeProps) {
  const queries = useQueryClient();
  const [from, setFrom] = useState(() => localOf(new Date(Date.now() - day_ms).toISOString()));
  const [to, setTo] = useState('');
  const [status, setStatus] = useState<Status | ''>('');
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => {
      const range = { from: isoOf(from), ...(to && { to: isoOf(to) }), ...(status && { status }) };
      return sendRangeAgain(company, webhook, range);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'webhooks', webhook] }),
  });
  if (data) {
    return (
      <Dialog open title={t('range')} about={t('range.done', { count: data.delivery_count })} onClose={onClose}>
        <div className="actions">
          <Button kind="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Confirm
      open
      title={t('range')}
      about={t('range.about')}
      act={t('range.act')}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => from && mutate()}
    >
      <label className="field">
        <span>{t('filters.since')}</span>
        <input type="datetime-local" required value={from} onChange={({ target }) => setFrom(target.value)} />
      </label>
      <label className="field">
        <span>{t('filters.until')}</span>
        <input type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
        <span className="hint">
          {t('range.until')} {timeZone()}
        </span>
      </label>
      <label className="field">
        <span>{t('filters.status')}</span>
        <select value={status} onChange={({ target }) => setStatus(target.value as Status | '')}>
          <option value="">{t('range.not-delivered')}</option>
          {possible.map((each) => (
            <option key={each} value={each}>
              {named('status', each)}
            </option>
          ))}
        </select>
      </label>
    </Confirm>
  );
}
