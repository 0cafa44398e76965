/** Custom request headers. Stored values are write-only; entering a value replaces the stored one. */
import { useFieldArray, useFormContext } from 'react-hook-form';
import type { ApiError } from '../../../api/client/client.ts';
import { Button } from '../../../parts/button.tsx';
import { t } from '../../../parts/translate.ts';
import { changesOrigin, hiddenValue, type WebhookFields } from './webhook-fields.ts';

interface HeaderFieldsProps {
  /** The URL the stored values belong to; changing its origin drops them. */
  storedFor: string | undefined;
  refusal: ApiError | undefined;
}

export function HeaderFields({ storedFor, refusal }: HeaderFieldsProps) {
  const { register, watch } = useFormContext<WebhookFields>();
  const { fields, append, remove } = useFieldArray<WebhookFields, 'headers'>({ name: 'headers' });
  const [url, headers] = watch(['url', 'headers']);
  const fieldError = refusal?.errorsUnder('headers');
  const described = (at: number) =>
    refusal?.fieldError(`headers.${headers[at]?.name}`) && {
      'aria-invalid': true,
      'aria-describedby': 'headers-error',
    };
  const losesValues = headers.some(({ value }) => value === hiddenValue) && changesOrigin(storedFor, url);
  return (
    <fieldset aria-describedby={fieldError ? 'headers-error' : undefined}>
      <legend>{t`Custom headers`}</legend>
      <p className="hint">{t`Added to each request, for example an API key for your gateway. Values are not shown again.`}</p>
      {losesValues && (
        <p className="advice" role="status">
          {t`Stored values aren't sent to another scheme, host, or port. Enter them again, or they're removed.`}
        </p>
      )}
      {fieldError && (
        <p className="field-error" id="headers-error">
          {fieldError}
        </p>
      )}
      {fields.map(({ id, isStored, name }, at) => (
        <div key={id} className="header-field">
          <input
            {...register(`headers.${at}.name`)}
            {...described(at)}
            aria-label={t`Header name`}
            placeholder="X-Gate"
            readOnly={isStored}
            autoComplete="off"
          />
          <input
            {...register(`headers.${at}.value`)}
            type={isStored && watch(`headers.${at}.value`) === hiddenValue ? 'password' : 'text'}
            aria-label={t`Value of the header ${name}`}
            autoComplete="off"
            onFocus={({ target }) => target.select()}
          />
          <Button aria-label={t`Remove the header ${name}`} onClick={() => remove(at)}>
            {t`Remove`}
          </Button>
        </div>
      ))}
      <Button onClick={() => append({ name: '', value: '', isStored: false })}>{t`Add a header`}</Button>
    </fieldset>
  );
}
