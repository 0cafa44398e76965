import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { say } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lastAdmin, lockAdmins } from '../collaborators/membership/admins.ts';
import { replaceDomains } from './domains.ts';
import { connectionColumns, lockConnection, type SignInConnectionRow } from './sign-in-connections.ts';
import { type SignInSettings, secretPlace } from './sign-in-settings.ts';
import { hasOwnAdmin, keepPolicy, signOutPeople } from './ways-in.ts';

type Update = components['schemas']['SignInConnectionUpdate'];

/**
 * @throws 404 if it was deleted meanwhile; 409 `conflict` when enabling without a test, or if no admin could sign in without
 *   the provider; 409 `last_admin` for a draft that would leave no admin
 */
export async function changeConnection(
  tx: TenantTransaction,
  settings: SignInSettings,
  id: string,
  { domains, client_secret: clientSecret, ...fields }: Update,
): Promise<SignInConnectionRow> {
  await lockAdmins(tx);
  const before = await lockConnection(tx, id);
  const isOtherClient = fields.client_id !== undefined && fields.client_id !== before.client_id;
  const testedAt = isOtherClient ? null : before.tested_at;
  const wanted = { ...before, ...defined(fields), tested_at: testedAt };
  const isEnabled = wanted.status === 'enabled';
  if (isEnabled && !testedAt) throw untested();
  if (isEnabled && wanted.sign_in === 'connection_only' && !(await hasOwnAdmin(tx, { passkey: true }))) throw noWayIn();
  const isTurnedOff = before.status === 'enabled' && !isEnabled;
  if (isTurnedOff && !(await hasOwnAdmin(tx))) throw lastAdmin();
  if (domains) await replaceDomains(tx, id, domains);
  const row = await tx.global
    .updateTable('sign_in_connections')
    .set({
      ...defined(fields),
      tested_at: testedAt,
      ...(clientSecret !== undefined && {
        client_secret_encrypted: settings.vault.seal(clientSecret, secretPlace(id)),
      }),
      updated_at: sql<string>`statement_timestamp()`,
    })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning(connectionColumns)
    .executeTakeFirstOrThrow();
  if (isTurnedOff) await signOutPeople(tx, id);
  await keepPolicy(tx);
  return row;
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function untested(): Problem {
  return new Problem(409, 'conflict', say`Test the connection before you enable it.`);
}

function noWayIn(): Problem {
  const text = say`An admin who doesn’t sign in with a provider needs a passkey first, so that the company isn’t locked out.`;
  return new Problem(409, 'conflict', text);
}
