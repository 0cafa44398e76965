/**
 * Apps: OAuth clients that a company registered itself. They are stored outside of the company tables (`identity/clients`),
 * because a sign-in finds them before the company is known; here every access is bound to the company.
 */

import { type Selectable, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { OauthClients } from '../../../generated/db.ts';
import { notFound } from '../../contract/problem.ts';
import { unexpired } from '../../identity/clients/client-secrets.ts';
import { keyset } from '../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { entityTag } from '../../platform/values/entity-tag.ts';
import { isId } from '../access/records.ts';

type App = components['schemas']['App'];

export const appColumns = [
  'id',
  'name',
  'description',
  'logo_url',
  'website',
  'redirect_uris',
  'scopes',
  'visibility',
  'approved_at',
  'created_by',
  'created_at',
  'updated_at',
  'secret_hash',
  'earlier_secrets',
  'jwks',
] as const satisfies (keyof OauthClients)[];

export type AppRow = Pick<Selectable<OauthClients>, (typeof appColumns)[number]>;

export function appResponse(row: AppRow): App {
  const { secret_hash: secretHash, earlier_secrets: earlierSecrets, id, ...rest } = row;
  return {
    id,
    client_id: id,
    ...rest,
    kind: secretHash ? 'confidential' : 'public',
    visibility: row.visibility as App['visibility'],
    jwks: row.jwks as App['jwks'],
    previous_secret_expires_at: unexpired(earlierSecrets)[0]?.expires_at ?? null,
  };
}

/** A strong validator of the representation (RFC 9110, section 8.8.3). */
export function appEtag(row: AppRow): string {
  return entityTag(appResponse(row));
}

export function showApp(row: AppRow) {
  return { status: 200 as const, headers: { ETag: appEtag(row) }, body: appResponse(row) };
}

export function appLocation({ id }: { id: string }): string {
  return `/v1/apps/${id}`;
}

/** @throws 404 */
export async function findApp(tenant: Tenant, id: string): Promise<AppRow> {
  const row = isId(id)
    ? await activeApps(tenant).select(appColumns).where('id', '=', id.toLowerCase()).executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** Locks an app against changes until the end of the transaction. @throws 404 if it was deleted meanwhile */
export async function lockApp(tx: TenantTransaction, id: string): Promise<AppRow> {
  const row = await activeApps(tx).select(appColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function oldestApps(
  tenant: Tenant,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<AppRow[]> {
  return activeApps(tenant)
    .select(appColumns)
    .$call(keyset(['created_at', 'id'], 'asc', after))
    .limit(sql.lit(count))
    .execute();
}

export function activeApps(tenant: Tenant) {
  return tenant.global
    .selectFrom('oauth_clients')
    .where('company_id', '=', tenant.company_id)
    .where('revoked_at', 'is', null);
}
