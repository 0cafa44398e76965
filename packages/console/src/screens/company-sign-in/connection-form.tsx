/** Form for creating or editing a sign-in connection. */
import { useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { Problem } from '../../parts/problem.tsx';
import { named, t } from '../../parts/translate.ts';
import type { ConnectionFields } from './fields.ts';
import { authenticationNames, kindNames } from './names.ts';
import { PolicyFieldSet } from './policy-fields.tsx';
import { SamlFieldSet } from './saml-fields.tsx';

interface ConnectionFormProps {
  known: ConnectionFields;
  /** The issuer can't be changed later. */
  isNew: boolean;
  actionLabel: string;
  busy: boolean;
  error: unknown;
  onSubmit(fields: ConnectionFields): void;
}

/** Splits at line breaks, spaces, commas, and semicolons. */
export const domainsOf = ({ domains }: Pick<ConnectionFields, 'domains'>) => domains.split(/[\s,;]+/).filter(Boolean);

export function ConnectionForm({ known, isNew, actionLabel, busy, error, onSubmit }: ConnectionFormProps) {
  const form = useForm<ConnectionFields>({ values: known });
  const { register, handleSubmit, formState, watch } = form;
  const isSaml = watch('kind') === 'saml';
  const refusal = error instanceof ApiError ? error : undefined;
  const text = (name: 'name' | 'issuer' | 'client_id' | 'client_secret', label: string, hint?: string) => (
    <Field label={label} hint={hint} error={refusal?.fieldError(name)}>
      {(described) => (
        <input
          {...described}
          {...register(name)}
          type={name === 'client_secret' ? 'password' : 'text'}
          autoComplete={name === 'client_secret' ? 'new-password' : 'off'}
          spellCheck={false}
        />
      )}
    </Field>
  );
  return (
    <form className="form" noValidate onSubmit={handleSubmit(onSubmit)}>
      <Unsaved isDirty={formState.isDirty} />
      {error ? <Problem error={error} /> : null}
      {text('name', t`Name`, t`People see it when they sign in. For example, your company and the provider.`)}
      {isNew && (
        <fieldset>
          <legend>{t`Protocol`}</legend>
          {Object.keys(kindNames()).map((value) => (
            <label key={value} className="check">
              <input type="radio" value={value} {...register('kind')} />
              {named(kindNames, value)}
            </label>
          ))}
        </fieldset>
      )}
      {isSaml && <SamlFieldSet form={form} isNew={isNew} refusal={refusal} />}
      {!isSaml && (
        <>
          {isNew &&
            text('issuer', t`Issuer`, t`The provider's address, exactly as it shows it. It can't be changed later.`)}
          {text('client_id', t`Client ID`)}
          <fieldset>
            <legend>{t`Authentication at the provider`}</legend>
            {Object.keys(authenticationNames()).map((value) => (
              <label key={value} className="check">
                <input type="radio" value={value} {...register('client_authentication')} />
                {named(authenticationNames, value)}
              </label>
            ))}
          </fieldset>
          {watch('client_authentication') === 'client_secret' &&
            text('client_secret', t`Client secret`, isNew ? undefined : t`Leave empty to keep the current one.`)}
        </>
      )}
      <Field
        label={t`Email domains`}
        hint={t`One per line. Each needs a DNS record, which you'll see next.`}
        error={refusal?.fieldError('domains')}
      >
        {(described) => <textarea {...described} {...register('domains')} rows={3} spellCheck={false} />}
      </Field>
      <PolicyFieldSet register={register} />
      <label className="check">
        <input type="checkbox" {...register('trusts_provider')} />
        {t`The provider's second factor counts. Otherwise people are asked for one here, if the company requires it.`}
      </label>
      <div className="actions">
        <Button kind="primary" type="submit" busy={busy}>
          {actionLabel}
        </Button>
      </div>
    </form>
  );
}
