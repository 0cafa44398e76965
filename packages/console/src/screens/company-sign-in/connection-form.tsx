/** Form for creating or editing a sign-in connection. */
import { useForm } from 'react-hook-form';
import { ApiError } from '../../api/client/client.ts';
import type { SignInConnection } from '../../api/sign-in-connections.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Field } from '../../parts/fields/field.tsx';
import { Form } from '../../parts/fields/form.tsx';
import { Unsaved } from '../../parts/fields/unsaved.tsx';
import { useBase } from '../../parts/fields/use-base.ts';
import { named, t } from '../../parts/translate.ts';
import type { ConnectionFields } from './fields.ts';
import { authenticationNames, connectionFieldLabels, kindNames } from './names.ts';
import { emptyPolicies, existingPolicies, PolicyFieldSet } from './policy-fields.tsx';
import { emptySaml, existingSaml, SamlFieldSet } from './saml-fields.tsx';

export function fieldsOf(connection: SignInConnection | undefined): ConnectionFields {
  return {
    kind: connection?.kind === 'saml' ? 'saml' : 'oidc',
    name: connection?.name ?? '',
    issuer: connection?.issuer ?? '',
    client_id: connection?.client_id ?? '',
    client_authentication:
      connection?.client_authentication === 'private_key_jwt' ? 'private_key_jwt' : 'client_secret',
    client_secret: '',
    saml: connection ? existingSaml(connection) : emptySaml,
    sign_in: connection?.sign_in ?? 'any',
    sign_in_by_role: connection ? existingPolicies(connection) : emptyPolicies,
    trusts_provider: connection?.trusts_provider ?? false,
    domains: connection?.domains.map((each) => each.domain).join('\n') ?? '',
  };
}

interface ConnectionFormProps {
  connection?: SignInConnection;
  actionLabel: string;
  busy: boolean;
  error: unknown;
  /** @param base the version that the form began with. @param onSaved call it once the saved version is loaded */
  onSubmit(fields: ConnectionFields, base: SignInConnection | undefined, onSaved: () => void): void;
}

/** Splits at line breaks, spaces, commas, and semicolons. */
export const domainsOf = ({ domains }: Pick<ConnectionFields, 'domains'>) => domains.split(/[\s,;]+/).filter(Boolean);

export function ConnectionForm({ connection, actionLabel, busy, error, onSubmit }: ConnectionFormProps) {
  const form = useForm<ConnectionFields>({ defaultValues: fieldsOf(connection) });
  const { register, handleSubmit, formState, watch, reset } = form;
  const base = useBase(form, connection, fieldsOf);
  const isNew = !connection; // the issuer can't be changed later
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
    <Form
      busy={busy}
      className="form"
      noValidate
      onSubmit={handleSubmit((fields) => onSubmit(fields, base, () => reset(fields)))}
    >
      <Unsaved isDirty={formState.isDirty} busy={busy} />
      {error ? <Problem error={error} names={connectionFieldLabels} /> : null}
      {text(
        'name',
        connectionFieldLabels().name,
        t`People see it when they sign in. For example, your company and the provider.`,
      )}
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
            text(
              'issuer',
              connectionFieldLabels().issuer,
              t`The provider's address, exactly as it shows it. It can't be changed later.`,
            )}
          {text('client_id', connectionFieldLabels().client_id)}
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
            text(
              'client_secret',
              connectionFieldLabels().client_secret,
              isNew ? undefined : t`Leave empty to keep the current one.`,
            )}
        </>
      )}
      <Field
        label={connectionFieldLabels().domains}
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
    </Form>
  );
}
