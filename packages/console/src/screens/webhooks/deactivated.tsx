/** Why an endpoint is disabled, and the button to re-enable it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { activate, type Webhook } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { TimeField } from '../../parts/fields/time-field.tsx';
import { isoOf, localOf, moment, timeZone } from '../../parts/format.ts';
import { deactivationReasons } from '../../parts/names.ts';
import { named, t } from '../../parts/translate.ts';
import { deactivationAdvice } from './names.ts';

export function Deactivated({ company, webhook }: { company: string; webhook: Webhook }) {
  const [isConfirming, setConfirming] = useState(false);
  const { deactivation_reason: reason, deactivated_at: at, last_status_code: code } = webhook;
  return (
    <div className="problem">
      <p className="problem-title">{t`Disabled`}</p>
      <p>
        {named(deactivationReasons, reason ?? '')} {at && moment(at)}.{' '}
        {code !== null && reason !== 'manual' && t`The last response was ${code}.`}
      </p>
      <p>{named(deactivationAdvice, reason ?? '')}</p>
      <Button kind="primary" onClick={() => setConfirming(true)}>
        {t`Enable`}
      </Button>
      {isConfirming && <Activate company={company} webhook={webhook} onClose={() => setConfirming(false)} />}
    </div>
  );
}

interface ActivateProps {
  company: string;
  webhook: Webhook;
  onClose(): void;
}

/** Re-enables an endpoint, and replays missed events; by default since its deactivation. */
export function Activate({ company, webhook, onClose }: ActivateProps) {
  const queries = useQueryClient();
  const isActive = webhook.status === 'active';
  const [replay, setReplay] = useState(true);
  const [since, setSince] = useState(localOf(webhook.deactivated_at ?? webhook.last_success_at ?? webhook.created_at));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => activate(company, webhook.id, replay ? isoOf(since) : undefined),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
      onClose();
    },
  });
  return (
    <Confirm
      open
      title={isActive ? t`Send missed events` : t`Enable`}
      about={
        isActive
          ? t`Sends every matching event since a given time that was not delivered successfully, including events that never had a delivery.`
          : t`New events are sent to it again.`
      }
      actionLabel={isActive ? t`Send missed events` : t`Enable`}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    >
      {!isActive && (
        <label className="check">
          <input type="checkbox" checked={replay} onChange={({ target }) => setReplay(target.checked)} />
          {t`Also send missed events`}
        </label>
      )}
      {replay && <TimeField label={t`Since`} hint={timeZone()} required value={since} onChange={setSince} />}
    </Confirm>
  );
}
