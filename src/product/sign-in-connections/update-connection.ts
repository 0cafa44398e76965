import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lastAdmin, lockAdmins } from '../collaborators/membership/admins.ts';
import { refuseErrors } from '../webhooks/subscriptions/webhook-errors.ts';
import { ensureClientKey, removeClientKeys } from './client-keys.ts';
import { notWithKey, otherProtocolField } from './create-connection.ts';
import { replaceDomains } from './domains.ts';
import { columnsOf, readSamlInput, type SamlColumns } from './saml/saml-input.ts';
import { connectionColumns, connectionEtag, lockConnection, type SignInConnectionRow } from './sign-in-connections.ts';
import { hasOwnAdmin, signOutPeople, storeSignInPolicy } from './sign-in-methods.ts';
import { mergedByRole, policyOfRole } from './sign-in-policy.ts';
import { type SignInSettings, secretContext } from './sign-in-settings.ts';

type Update = components['schemas']['SignInConnectionUpdate'];

/**
 * @param expected accepted entity tags; undefined for any
 * @throws 400 without a client secret; 404 if it was deleted in the meantime; 409 `conflict` when enabling it without a test, when changing the subject
 *   attribute after people have signed in, or if no admin could sign in without the provider; 409 `last_admin` if a draft would
 *   leave no admin; 412 if no tag matches
 */
export async function changeConnection(
  tx: TenantTransaction,
  settings: SignInSettings,
  id: string,
  { domains, client_secret: clientSecret, saml, sign_in_by_role: changeByRole, ...fields }: Update,
  provider: SamlColumns | undefined,
  expected?: readonly string[],
): Promise<SignInConnectionRow> {
  await lockAdmins(tx);
  const before = await lockConnection(tx, id);
  if (expected && !expected.includes(await connectionEtag(tx, before))) throw changedConcurrently();
  const isOtherClient = fields.client_id !== undefined && fields.client_id !== before.client_id;
  const attribute = saml?.subject_attribute === undefined ? before.subject_attribute : saml.subject_attribute;
  const isOtherKey = attribute !== before.subject_attribute;
  if (isOtherKey && (await hasPeople(tx, id))) throw keyInUse();
  const testedAt = isOtherClient || isOtherKey ? null : before.tested_at;
  const byRole = mergedByRole(before.sign_in_by_role, changeByRole);
  const updated = { ...before, ...defined(fields), sign_in_by_role: JSON.parse(byRole), tested_at: testedAt };
  const isEnabled = updated.status === 'enabled';
  if (isEnabled && !testedAt) throw untested();
  const isOnly = isEnabled && policyOfRole(updated, 'admin') === 'connection_only';
  if (isOnly && !(await hasOwnAdmin(tx, { passkey: true }))) throw passkeyRequired();
  const usesKey = updated.client_authentication === 'private_key_jwt';
  requireCredential(before, updated, clientSecret);
  const isDisabled = before.status === 'enabled' && !isEnabled;
  if (isDisabled && !(await hasOwnAdmin(tx))) throw lastAdmin();
  if (domains) await replaceDomains(tx, id, domains);
  const row = await tx.global
    .updateTable('sign_in_connections')
    .set({
      ...defined(fields),
      sign_in_by_role: byRole,
      tested_at: testedAt,
      subject_attribute: attribute,
      ...(provider && columnsOf(provider)),
      ...(clientSecret !== undefined && {
        client_secret_encrypted: settings.vault.seal(clientSecret, secretContext(id)),
      }),
      ...(usesKey && { client_secret_encrypted: null }),
      updated_at: sql<string>`statement_timestamp()`,
    })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning(connectionColumns)
    .executeTakeFirstOrThrow();
  if (usesKey) await ensureClientKey(tx, settings, id);
  else if (before.client_authentication === 'private_key_jwt') await removeClientKeys(tx, id);
  if (isDisabled) await signOutPeople(tx, id);
  await storeSignInPolicy(tx);
  return row;
}

/**
 * Reads changed provider values. Call it before the transaction.
 * @throws 400, also for fields of the other protocol
 */
export async function readChange(
  { issuer, sso_url: ssoUrl, certificates, kind }: SignInConnectionRow,
  settings: SignInSettings,
  { client_id, client_secret, client_authentication, saml }: Update,
): Promise<SamlColumns | undefined> {
  const otherFields = kind === 'saml' ? { client_id, client_secret, client_authentication } : { saml };
  const errors = Object.entries(otherFields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [otherProtocolField]]],
  );
  refuseErrors(Object.fromEntries(errors));
  if (!saml) return undefined;
  return readSamlInput(saml, settings, { entity_id: issuer, sso_url: ssoUrl!, certificates: certificates! });
}

/** @throws 400 if a client secret is missing, or sent along with a key */
function requireCredential(
  { client_authentication: before }: SignInConnectionRow,
  { client_authentication: updated }: Pick<SignInConnectionRow, 'client_authentication'>,
  clientSecret: string | undefined,
): void {
  if (updated === 'private_key_jwt' && clientSecret !== undefined) refuseErrors({ client_secret: [notWithKey] });
  if (updated === 'client_secret' && before !== updated && clientSecret === undefined) {
    refuseErrors({ client_secret: [{ code: 'required', message: t`This field is required.` }] });
  }
}

/** Subjects are values of the attribute: under another attribute, one person may have the value of another. */
async function hasPeople(tx: TenantTransaction, id: string): Promise<boolean> {
  const link = await tx.global
    .selectFrom('sign_in_links')
    .select('subject')
    .where('connection_id', '=', id)
    .where('company_id', '=', tx.company_id)
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

function keyInUse(): Problem {
  const text = t`People have signed in with this connection, so what identifies them can’t change. Create another connection.`;
  return new Problem(409, 'conflict', text);
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function changedConcurrently(): Problem {
  return new Problem(412, 'precondition_failed', t`The connection has changed since you read it. Read it again.`);
}

function untested(): Problem {
  return new Problem(409, 'conflict', t`Test the connection before you enable it.`);
}

function passkeyRequired(): Problem {
  const text = t`An admin who doesn’t sign in with a provider needs a passkey first, so that the company isn’t locked out.`;
  return new Problem(409, 'conflict', text);
}
