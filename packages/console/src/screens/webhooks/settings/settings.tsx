/** Endpoint settings: fields, secret, pause, and deletion. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { oneLine } from '../../../../../../src/contract/texts/one-line.ts';
import { changeWebhook, removeWebhook, type Webhook, type WebhookChange, webhookQuery } from '../../../api/webhooks.ts';
import { Button } from '../../../parts/button.tsx';
import { DangerPanel } from '../../../parts/danger-panel.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { useLeave } from '../../../parts/fields/unsaved.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { WebhookSecret } from './secret.tsx';
import { hiddenValue, rateOf, type WebhookFields } from './webhook-fields.ts';
import { fieldsOf, WebhookForm } from './webhook-form.tsx';

export function Settings() {
  useLanguage();
  const { company, webhook: id } = useParams({ from: '/$company/webhooks/$webhook' });
  const { data: webhook } = useQuery(webhookQuery(company, id));
  if (!webhook) return null;
  return (
    <>
      <Change company={company} webhook={webhook} />
      <WebhookSecret company={company} webhook={webhook} />
      {webhook.status === 'active' && <Pause company={company} webhook={webhook} />}
      <Remove company={company} webhook={webhook} />
    </>
  );
}

interface Part {
  company: string;
  webhook: Webhook;
}

function useChange({ company, webhook }: Part, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: WebhookChange) => changeWebhook(company, webhook.id, change),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
      onDone?.();
    },
  });
}

function Change(part: Part) {
  const { mutate, isPending, isSuccess, error, data: saved } = useChange(part);
  const { company, webhook } = part;
  // The warning about dropped headers is only in the response to the change.
  const { warnings } = saved?.updated_at === webhook.updated_at ? saved : webhook;
  return (
    <section className="panel" aria-labelledby="change">
      <h2 id="change">{t`Endpoint`}</h2>
      {warnings.map(({ field, message }) => (
        <p key={field} className="advice">
          <code>{field}</code>: {message}
        </p>
      ))}
      {/* Starts again after saving, so that entered values are hidden. */}
      <WebhookForm
        key={saved?.updated_at}
        company={company}
        webhook={webhook}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onSubmit={(fields, base = webhook) => mutate(changeOf(base, fields))}
      />
      <p role="status" className="calm">
        {isSuccess && !isPending ? t`Saved.` : ''}
      </p>
    </section>
  );
}

/** Sends changed fields only. Removes headers missing from the form; omits headers whose value is unchanged. */
function changeOf(base: Webhook, fields: WebhookFields): WebhookChange {
  const before = fieldsOf(base);
  const { url, description, payload_format: payloadFormat, events, headers } = fields;
  const removed = Object.keys(base.headers).filter((name) => !headers.some((each) => each.name === name));
  const sentHeaders = headers.filter(({ name, isStored, value }) => name && !(isStored && value === hiddenValue));
  return {
    ...(url !== before.url && { url: url.trim() }),
    ...(description !== before.description && { description: oneLine(description) || null }),
    ...(payloadFormat !== before.payload_format && { payload_format: payloadFormat }),
    ...(fields.max_per_second !== before.max_per_second && { max_per_second: rateOf(fields) }),
    ...(events.join() !== before.events.join() && { events }),
    headers: Object.fromEntries([
      ...removed.map((name) => [name, null] as const),
      ...sentHeaders.map(({ name, value }) => [name, value] as const),
    ]),
  };
}

function Pause(part: Part) {
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending, error } = useChange(part, () => setConfirming(false));
  return (
    <section className="panel" aria-labelledby="pause">
      <h2 id="pause">{t`Pause`}</h2>
      <p>{t`Nothing is sent to the endpoint until someone enables it again.`}</p>
      <Button onClick={() => setConfirming(true)}>{t`Pause the endpoint`}</Button>
      <Confirm
        open={isConfirming}
        title={t`Pause the endpoint`}
        about={t`Waiting deliveries are canceled. Missed events can be sent when the endpoint is enabled again, for up to 30 days.`}
        actionLabel={t`Pause the endpoint`}
        danger
        busy={isPending}
        error={error}
        onClose={() => setConfirming(false)}
        onConfirm={() => mutate({ status: 'deactivated' })}
      />
    </section>
  );
}

function Remove({ company, webhook }: Part) {
  const queries = useQueryClient();
  const leave = useLeave();
  return (
    <DangerPanel
      title={t`Delete`}
      description={t`Permanently deletes the endpoint, its secret and its delivery log.`}
      actionLabel={t`Delete the endpoint`}
      about={t`Nothing more is sent to ${webhook.url}, and its deliveries can't be viewed anymore. This can't be undone.`}
      perform={async () => {
        await removeWebhook(company, webhook.id);
        await leave({ to: '/$company/webhooks', params: { company } });
        queries.removeQueries({ queryKey: [company, 'webhooks', webhook.id] });
        await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
      }}
    />
  );
}
