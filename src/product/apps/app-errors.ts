/** Validation of an app beyond the contract's schema. */
import { trustedNameErrors } from '../../contract/error-messages.ts';
import { type Text, t } from '../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../contract/problem.ts';
import { isUsableKey } from '../../identity/clients/client-keys.ts';
import { type RedirectUriError, redirectUriError } from '../../identity/clients/redirect-uris.ts';
import { isScope } from '../../identity/grants/scopes.ts';

const messages: Record<RedirectUriError, Text> = {
  no_uri: t`Must be a URI.`,
  fragment: t`Must have no fragment.`,
  credentials: t`Must have no user name and no password.`,
  host: t`The host must be a valid DNS name without wildcards, or an IP address.`,
  too_long: t`Must have 2048 characters at most.`,
  scheme: t`Must be https, or http to the same machine, or for a public app its own scheme with a dot in it.`,
};

interface CheckedFields {
  name?: string | undefined;
  redirect_uris?: readonly string[] | undefined;
  scopes?: readonly string[] | null | undefined;
  logo_url?: string | null | undefined;
  website?: string | null | undefined;
  jwks?: { keys: object[] } | null | undefined;
}

export function refuseAppErrors(fields: CheckedFields, isPublic: boolean): void {
  const { name = '', redirect_uris: redirectUris = [], scopes } = fields;
  const errors: FieldErrors = {};
  const nameErrors = trustedNameErrors(name);
  if (nameErrors.length > 0) errors.name = nameErrors;
  for (const field of ['logo_url', 'website'] as const) {
    const isInvalid = fields[field] && !URL.canParse(fields[field]);
    if (isInvalid) errors[field] = [{ code: 'invalid_format', message: messages.no_uri }];
  }
  redirectUris.forEach((uri, at) => {
    const error = redirectUriError(uri, isPublic);
    if (!error) return;
    const code = error === 'too_long' ? error : 'invalid_format';
    errors[`redirect_uris.${at}`] = [{ code, message: messages[error] }];
  });
  scopes?.forEach((scope, at) => {
    const message = t`There is no such scope.`;
    if (!isScope(scope)) errors[`scopes.${at}`] = [{ code: 'not_in_enum', message }];
  });
  if (fields.jwks && isPublic) errors.jwks = [{ code: 'field_not_allowed', message: t`A public app has no keys.` }];
  fields.jwks?.keys.forEach((key, at) => {
    const message = t`Must be the public key of a P-256, Ed25519 or RSA key, as a JSON Web Key.`;
    if (!isUsableKey(key)) errors[`jwks.keys.${at}`] = [{ code: 'invalid_format', message }];
  });
  if (Object.keys(errors).length > 0) throw validationError(errors);
}
