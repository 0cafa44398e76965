import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { type FieldError, type FieldErrors, Problem } from '../../contract/problem.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { lockNamed } from '../../platform/db/named-lock.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { targetError } from '../webhooks/subscriptions/target.ts';
import { refuseErrors } from '../webhooks/subscriptions/webhook-errors.ts';
import { ensureClientKey } from './client-keys.ts';
import { replaceDomains } from './domains.ts';
import { columnsOf, readSamlInput, type SamlColumns } from './saml/saml-input.ts';
import { connectionColumns, type SignInConnectionRow } from './sign-in-connections.ts';
import { mergedByRole } from './sign-in-policy.ts';
import { type SignInSettings, secretContext } from './sign-in-settings.ts';

const maxConnections = 3;

type ConnectionInput = components['schemas']['SignInConnectionCreate'];
type NewConnection = ConnectionInput & { created_by: string };

/** Validates an issuer like a webhook URL, because the company chooses where requests are sent. */
async function issuerErrors(issuer: string, settings: SignInSettings): Promise<FieldErrors> {
  const error = await targetError(issuer, settings);
  if (error) return { issuer: [error] };
  const { search, hash } = new URL(issuer);
  if (search === '' && hash === '' && !/[?#]/.test(issuer)) return {};
  return { issuer: [{ code: 'invalid_format', message: t`Must not have a query or a fragment.` }] };
}

const fieldsByKind = { oidc: ['issuer', 'client_id', 'client_secret'], saml: ['saml'] } as const;

/** Requires the fields of the protocol, and rejects those of the other. */
function protocolErrors(body: ConnectionInput): FieldErrors {
  const kind = body.kind ?? 'oidc';
  const other = kind === 'oidc' ? 'saml' : 'oidc';
  const errors: FieldErrors = {};
  const usesKey = body.client_authentication === 'private_key_jwt';
  if (kind === 'saml' && body.client_authentication) errors.client_authentication = [otherProtocolField];
  for (const name of fieldsByKind[kind]) {
    if (name === 'client_secret' && usesKey) continue;
    if (body[name] === undefined) errors[name] = [{ code: 'required', message: t`This field is required.` }];
  }
  for (const name of fieldsByKind[other]) {
    if (body[name] !== undefined) errors[name] = [otherProtocolField];
  }
  if (kind === 'oidc' && usesKey && body.client_secret !== undefined) errors.client_secret = [notWithKey];
  return errors;
}

export const otherProtocolField: FieldError = {
  code: 'field_not_allowed',
  message: t`This field belongs to the other protocol.`,
};
export const notWithKey: FieldError = {
  code: 'field_not_allowed',
  message: t`This connection authenticates with a key, so it has no client secret.`,
};

/**
 * Call it outside a transaction: it resolves host names, and may fetch SAML metadata.
 * @returns the columns of a SAML provider; undefined for OpenID Connect
 * @throws 400
 */
export async function readProvider(body: ConnectionInput, settings: SignInSettings): Promise<SamlColumns | undefined> {
  refuseErrors(protocolErrors(body));
  if (body.saml) return readSamlInput(body.saml, settings);
  refuseErrors(await issuerErrors(body.issuer!, settings));
  return undefined;
}

/**
 * The input must be validated by `readProvider`.
 * @param saml its result
 * @throws 409 at the company's limit
 */
export async function addConnection(
  tx: TenantTransaction,
  settings: SignInSettings,
  { domains, client_secret: clientSecret, ...fields }: NewConnection,
  saml: SamlColumns | undefined,
): Promise<SignInConnectionRow> {
  await requireRoom(tx);
  const id = newId();
  // Statement time, not transaction time: under the lock, it gives the creation order.
  const now = sql<string>`statement_timestamp()`;
  const row = await tx.global
    .insertInto('sign_in_connections')
    .values({
      id,
      company_id: tx.company_id,
      name: fields.name,
      ...(saml
        ? {
            kind: 'saml',
            ...columnsOf(saml),
            issuer: saml.entity_id,
            subject_attribute: fields.saml?.subject_attribute,
          }
        : {
            kind: 'oidc',
            issuer: fields.issuer!,
            client_id: fields.client_id,
            client_authentication: fields.client_authentication ?? 'client_secret',
            ...(clientSecret !== undefined && {
              client_secret_encrypted: settings.vault.seal(clientSecret, secretContext(id)),
            }),
          }),
      sign_in: fields.sign_in ?? 'any',
      sign_in_by_role: mergedByRole({}, fields.sign_in_by_role),
      trusts_provider: fields.trusts_provider ?? false,
      created_by: fields.created_by,
      created_at: now,
      updated_at: now,
    })
    .returning(connectionColumns)
    .executeTakeFirstOrThrow();
  if (fields.client_authentication === 'private_key_jwt') await ensureClientKey(tx, settings, id);
  await replaceDomains(tx, id, domains ?? []);
  return row;
}

/** Locks, so that concurrent requests don't exceed the maximum. */
async function requireRoom(tx: TenantTransaction): Promise<void> {
  await lockNamed(tx, 'sign-in connections');
  const known = tx.global.selectFrom('sign_in_connections').where('company_id', '=', tx.company_id);
  if ((await countRows(known)) < maxConnections) return;
  throw new Problem(409, 'conflict', t`A company can have ${maxConnections} sign-in connections. Delete one first.`);
}
