/**
 * Email domains of a connection, verified by a TXT record; the sign-in page then sends addresses of that domain to its provider.
 * The latest verification wins, because a domain may change hands.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { StoredPolicy } from './sign-in-policy.ts';
import type { SignInSettings } from './sign-in-settings.ts';

type SignInDomain = components['schemas']['SignInDomain'];

const recordName = (domain: string) => `_collaborator-sign-in.${domain}`;
const recordValue = (token: string) => `cma-domain=${token}`;

export async function domainsOf(tenant: Tenant, connectionId: string): Promise<SignInDomain[]> {
  const rows = await domains(tenant, connectionId).orderBy('domain').execute();
  return rows.map(({ token, ...row }) => {
    return { ...row, record_name: recordName(row.domain), record_value: recordValue(token) };
  });
}

/** Unchanged domains keep their record and verification. @param names in any case, possibly with duplicates */
export async function replaceDomains(
  tx: TenantTransaction,
  connectionId: string,
  names: readonly string[],
): Promise<void> {
  const domainNames = [...new Set(names.map((name) => name.toLowerCase()))];
  await tx.global
    .deleteFrom('sign_in_domains')
    .where('connection_id', '=', connectionId)
    .where('company_id', '=', tx.company_id)
    .where('domain', '<>', sql<string>`all(${domainNames}::text[])`)
    .execute();
  for (const domain of domainNames) {
    const token = randomBytes(16).toString('base64url');
    await tx.global
      .insertInto('sign_in_domains')
      .values({ connection_id: connectionId, company_id: tx.company_id, domain, token })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function lookUpDomains(
  tenant: Tenant,
  { resolver }: SignInSettings,
  connectionId: string,
): Promise<{ domain: string; isProven: boolean }[]> {
  const rows = await domains(tenant, connectionId).execute();
  return Promise.all(
    rows.map(async ({ domain, token }) => {
      const records = await resolver.resolveTxt(recordName(domain)).catch(() => []);
      return { domain, isProven: records.some((parts) => parts.join('') === recordValue(token)) };
    }),
  );
}

export async function renewProofs(
  tx: TenantTransaction,
  connectionId: string,
  found: readonly { domain: string; isProven: boolean }[],
): Promise<void> {
  const now = sql<string>`statement_timestamp()`;
  await lockDomains(
    tx,
    found.map(({ domain }) => domain),
  );
  for (const { domain, isProven } of found) {
    if (isProven) {
      await tx.global
        .updateTable('sign_in_domains')
        .set({ verified_at: null })
        .where('domain', '=', domain)
        .where('connection_id', '<>', connectionId)
        .where('verified_at', 'is not', null)
        .execute();
    }
    await tx.global
      .updateTable('sign_in_domains')
      .set({ checked_at: now, ...(isProven && { verified_at: sql<string>`coalesce(verified_at, ${now})` }) })
      .where('connection_id', '=', connectionId)
      .where('company_id', '=', tx.company_id)
      .where('domain', '=', domain)
      .execute();
  }
}

/** Serializes verifications, so that one of two companies is last. */
async function lockDomains(tx: TenantTransaction, names: readonly string[]): Promise<void> {
  for (const name of [...names].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in domain ${name}`}, 0))`.execute(tx.raw);
}

/** The same whether or not the address has an account. @returns undefined if no enabled connection has verified the domain */
export async function connectionOfAddress(
  db: Database,
  email: string,
): Promise<(StoredPolicy & { id: string }) | undefined> {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domain === '' || domain === email.toLowerCase()) return undefined;
  return db.global
    .selectFrom('sign_in_domains as d')
    .innerJoin('sign_in_connections as c', 'c.id', 'd.connection_id')
    .select(['c.id', 'c.sign_in', 'c.sign_in_by_role'])
    .where('d.domain', '=', domain)
    .where('d.verified_at', 'is not', null)
    .where('c.status', '=', 'enabled')
    .executeTakeFirst();
}

function domains(tenant: Tenant, connectionId: string) {
  return tenant.global
    .selectFrom('sign_in_domains')
    .select(['domain', 'token', 'verified_at', 'checked_at'])
    .where('connection_id', '=', connectionId)
    .where('company_id', '=', tenant.company_id);
}
