/** Form for creating or editing an endpoint. */
import { FormProvider, useForm } from 'react-hook-form';
import { ApiError } from '../../../api/client/client.ts';
import type { Webhook } from '../../../api/webhooks.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { isComplete } from '../../../parts/fields/complete.ts';
import { Field } from '../../../parts/fields/field.tsx';
import { Form } from '../../../parts/fields/form.tsx';
import { Unsaved } from '../../../parts/fields/unsaved.tsx';
import { useBase } from '../../../parts/fields/use-base.ts';
import { t } from '../../../parts/translate.ts';
import { EventPicker } from './event-picker.tsx';
import { HeaderFields } from './header-fields.tsx';
import { hiddenValue, type WebhookFields } from './webhook-fields.ts';

export function fieldsOf(webhook: Webhook | undefined): WebhookFields {
  const {
    url = '',
    description,
    payload_format: payloadFormat = 'envelope',
    events = ['*'],
    headers = {},
  } = webhook ?? {};
  const maxPerSecond = String(webhook?.max_per_second ?? '');
  const stored = Object.keys(headers).map((name) => ({ name, value: hiddenValue, isStored: true }));
  return {
    url,
    description: description ?? '',
    payload_format: payloadFormat,
    max_per_second: maxPerSecond,
    events,
    headers: stored,
  };
}

interface WebhookFormProps {
  company: string;
  webhook?: Webhook;
  actionLabel: string;
  busy: boolean;
  error: unknown;
  /** @param base the version that the form began with */
  onSubmit(fields: WebhookFields, base: Webhook | undefined): void;
}

const labels = () => ({
  url: t`URL`,
  description: t`Description`,
  events: t`Events`,
  headers: t`Custom headers`,
  payload_format: t`Payload format`,
  max_per_second: t`Maximum requests per second`,
});

export function WebhookForm({ company, webhook, actionLabel, busy, error, onSubmit }: WebhookFormProps) {
  const form = useForm<WebhookFields>({ defaultValues: fieldsOf(webhook) });
  const { register, handleSubmit, formState } = form;
  const base = useBase(form, webhook, fieldsOf);
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <FormProvider {...form}>
      <Form
        busy={busy}
        className="form"
        noValidate
        onSubmit={handleSubmit((fields, event) => isComplete(event?.target) && onSubmit(fields, base))}
      >
        <Unsaved isDirty={formState.isDirty} busy={busy} />
        {error ? <Problem error={error} names={labels} /> : null}
        <Field
          label={labels().url}
          hint={t`Events are sent here. Use https and a host that is reachable from the internet.`}
          error={refusal?.fieldError('url') ?? formState.errors.url?.message}
        >
          {(described) => (
            <input
              {...described}
              {...register('url', { required: t`This field is required.` })}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://hooks.example.com/collaborators"
            />
          )}
        </Field>
        <Field label={labels().description} hint={t`Its purpose.`} error={refusal?.fieldError('description')}>
          {(described) => <input {...described} {...register('description')} autoComplete="off" />}
        </Field>
        <EventPicker company={company} error={refusal?.errorsUnder('events')} />
        <HeaderFields storedFor={base?.url} refusal={refusal} />
        <Field
          label={labels().payload_format}
          hint={t`Applies to new events.`}
          error={refusal?.fieldError('payload_format')}
        >
          {(described) => (
            <select {...described} {...register('payload_format')}>
              <option value="envelope">{t`Envelope: as documented for each event`}</option>
              <option value="flat">{t`Flat: a single level without nested objects, for automation platforms`}</option>
            </select>
          )}
        </Field>
        <Field
          label={labels().max_per_second}
          hint={t`Throttles deliveries to a slow endpoint. Leave empty for no limit.`}
          error={refusal?.fieldError('max_per_second')}
        >
          {(described) => (
            <input {...described} {...register('max_per_second')} type="number" min={1} max={1000} step={1} />
          )}
        </Field>
        <div className="actions">
          <Button type="submit" kind="primary" busy={busy}>
            {actionLabel}
          </Button>
        </div>
      </Form>
    </FormProvider>
  );
}
