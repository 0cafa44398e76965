/** Why nothing is sent to an endpoint any more, and the button that ends that. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { activate, type Webhook } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { isoOf, localOf, moment, timeZone } from '../../parts/format.ts';
import { named, t } from '../../parts/words.ts';

export function Deactivated({ company, webhook }: { company: string; webhook: Webhook }) {
  const [asking, setAsking] = useState(false);
  const { deactivation_reason: reason, deactivated_at: at, last_status_code: code } = webhook;
  return (
    <div className="problem">
      <p className="problem-title">{t('webhook.deactivated')}</p>
      <p>
        {named('reason', reason ?? '')} {at && moment(at)}.{' '}
        {code !== null && reason !== 'manual' && t('webhook.last-code', { code })}
      </p>
      <p>{named('advice', reason ?? '')}</p>
      <Button kind="primary" onClick={() => setAsking(true)}>
        {t('activate')}
      </Button>
      {asking && <Activate company={company} webhook={webhook} onClose={() => setAsking(false)} />}
    </div>
  );
}

interface ActivateProps {
  company: string;
  webhook: Webhook;
  onClose(): void;
}

/** Activates it, and sends what was missed, from when it was deactivated unless somebody says otherwise. */
export function Activate({ company, webhook, onClose }: ActivateProps) {
  const queries = useQueryClient();
  const is_active = webhook.status === 'active';
  const [replay, setReplay] = useState(true);
  const [since, setSince] = useState(localOf(webhook.deactivated_at ?? webhook.last_success_at ?? webhook.created_at));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => activate(company, webhook.id, replay && since ? isoOf(since) : undefined),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
      onClose();
    },
  });
  return (
    <Confirm
      open
      title={is_active ? t('replay') : t('activate')}
      about={is_active ? t('replay.about') : t('activate.about')}
      act={is_active ? t('replay.act') : t('activate')}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      {!is_active && (
        <label className="check">
          <input type="checkbox" checked={replay} onChange={({ target }) => setReplay(target.checked)} />
          {t('activate.replay')}
        </label>
      )}
      {replay && (
        <label className="field">
          <span>{t('replay.since')}</span>
          <input type="datetime-local" required value={since} onChange={({ target }) => setSince(target.value)} />
          <span className="hint">{timeZone()}</span>
        </label>
      )}
    </Confirm>
  );
}
