/** Form fields of a SAML provider: metadata URL, metadata XML, or single values. */
import type { UseFormReturn } from 'react-hook-form';
import type { ApiError } from '../../api/client/client.ts';
import type { SignInConnection, SignInConnectionChange } from '../../api/sign-in-connections.ts';
import { Field } from '../../parts/fields/field.tsx';
import { named, t } from '../../parts/translate.ts';
import type { ConnectionFields, SamlFields } from './fields.ts';
import { connectionFieldLabels, samlWayNames } from './names.ts';

export const emptySaml: SamlFields = {
  way: 'url',
  metadata_url: '',
  metadata_xml: '',
  entity_id: '',
  sso_url: '',
  certificates: '',
  subject_attribute: '',
};

export function existingSaml({ saml }: SignInConnection): SamlFields {
  return { ...emptySaml, way: 'keep', sso_url: saml?.sso_url ?? '', subject_attribute: saml?.subject_attribute ?? '' };
}

/** Request body for a new connection. */
export function samlOf(fields: SamlFields) {
  const attribute = fields.subject_attribute.trim();
  return { ...enteredIn(fields), ...(attribute && { subject_attribute: attribute }) };
}

/** Request body for an existing connection, without the entity ID, which can't change. */
export function samlChangeOf(before: SamlFields, fields: SamlFields): NonNullable<SignInConnectionChange['saml']> {
  const { entity_id: _, ...entered } = enteredIn(fields);
  const attribute = fields.subject_attribute.trim();
  return { ...entered, ...(attribute !== before.subject_attribute && { subject_attribute: attribute || null }) };
}

function enteredIn({
  way,
  metadata_url: url,
  metadata_xml: xml,
  entity_id: entityId,
  sso_url: ssoUrl,
  certificates,
}: SamlFields) {
  if (way === 'url') return { metadata_url: url.trim() };
  if (way === 'xml') return { metadata_xml: xml.trim() };
  return way === 'keep'
    ? {}
    : { entity_id: entityId, sso_url: ssoUrl.trim(), certificates: certificatesIn(certificates) };
}

/** Each PEM block, or the whole text as base64. */
function certificatesIn(text: string): string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return blocks ?? [text.trim()].filter(Boolean);
}

interface SamlFieldsProps {
  form: UseFormReturn<ConnectionFields>;
  isNew: boolean;
  refusal: ApiError | undefined;
}

export function SamlFieldSet({ form: { register, watch }, isNew, refusal }: SamlFieldsProps) {
  const way = watch('saml.way');
  const line = (name: Exclude<keyof SamlFields, 'way' | 'metadata_xml' | 'certificates'>, hint?: string) => (
    <Field label={connectionFieldLabels()[name]} hint={hint} error={refusal?.fieldError(`saml.${name}`)}>
      {(described) => (
        <input {...described} {...register(`saml.${name}`)} type="text" autoComplete="off" spellCheck={false} />
      )}
    </Field>
  );
  const lines = (name: 'metadata_xml' | 'certificates', hint?: string) => (
    <Field label={connectionFieldLabels()[name]} hint={hint} error={refusal?.errorsUnder(`saml.${name}`)}>
      {(described) => <textarea {...described} {...register(`saml.${name}`)} rows={6} spellCheck={false} />}
    </Field>
  );
  const ways = Object.keys(samlWayNames()).filter((each) => each !== 'keep' || !isNew);
  return (
    <>
      <fieldset>
        <legend>{connectionFieldLabels().saml}</legend>
        {ways.map((value) => (
          <label key={value} className="check">
            <input type="radio" value={value} {...register('saml.way')} />
            {named(samlWayNames, value)}
          </label>
        ))}
        {refusal?.fieldError('saml') && <span className="field-error">{refusal.fieldError('saml')}</span>}
      </fieldset>
      {way === 'url' &&
        line(
          'metadata_url',
          t`It's read again every hour when people sign in, so new certificates are picked up automatically.`,
        )}
      {way === 'xml' && lines('metadata_xml', t`Paste the whole file that the provider offers.`)}
      {way === 'hand' && (
        <>
          {isNew && line('entity_id', t`Exactly as the provider shows it. It can't be changed later.`)}
          {line('sso_url')}
          {lines('certificates', t`In PEM format, one after the other.`)}
        </>
      )}
      {line(
        'subject_attribute',
        t`The attribute that identifies a person and never changes, such as an object ID or an employee number. Leave empty for a persistent NameID. An email address isn't one.`,
      )}
    </>
  );
}
