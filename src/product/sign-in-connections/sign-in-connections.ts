/**
 * Identity providers that a company's people sign in with. Stored outside of the company tables, because the sign-in page looks
 * them up by domain before the company is known; here every access is bound to the company.
 */

import { type Selectable, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { SignInConnections } from '../../../generated/db.ts';
import { notFound } from '../../contract/problem.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { keyset } from '../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { entityTag } from '../../platform/values/entity-tag.ts';
import { isId } from '../access/records.ts';
import { clientKeysOf } from './client-keys.ts';
import { domainsOf } from './domains.ts';
import { certificateResponse } from './saml/certificates.ts';
import { serviceAddresses } from './saml/service-provider.ts';
import { byRole } from './sign-in-policy.ts';

type SignInConnection = components['schemas']['SignInConnection'];

export const connectionColumns = [
  'id',
  'name',
  'kind',
  'issuer',
  'client_id',
  'client_authentication',
  'sso_url',
  'certificates',
  'metadata_url',
  'metadata_read_at',
  'subject_attribute',
  'status',
  'sign_in',
  'sign_in_by_role',
  'trusts_provider',
  'tested_at',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies (keyof SignInConnections)[];

export type SignInConnectionRow = Pick<Selectable<SignInConnections>, (typeof connectionColumns)[number]>;

export function countLinkedPeople(tenant: Tenant, connectionId: string): Promise<number> {
  return countRows(
    tenant.global
      .selectFrom('sign_in_links')
      .where('connection_id', '=', connectionId)
      .where('company_id', '=', tenant.company_id),
  );
}

/** Omits the secret. @param baseUrl public address of the service */
export async function connectionResponse(
  tenant: Tenant,
  row: SignInConnectionRow,
  baseUrl: string,
): Promise<SignInConnection> {
  const [domains, keys, people] = await Promise.all([
    domainsOf(tenant, row.id),
    clientKeysOf(tenant, row.id),
    countLinkedPeople(tenant, row.id),
  ]);
  const { sso_url: ssoUrl, certificates, metadata_url: _, metadata_read_at: __, subject_attribute: ___, ...rest } = row;
  return {
    ...rest,
    kind: row.kind as SignInConnection['kind'],
    client_authentication: row.client_authentication as SignInConnection['client_authentication'],
    client_keys: keys,
    jwks_uri: row.kind === 'oidc' ? jwksUriOf(baseUrl, row.id) : null,
    status: row.status as SignInConnection['status'],
    sign_in: row.sign_in as SignInConnection['sign_in'],
    sign_in_by_role: byRole(row.sign_in_by_role),
    redirect_uri: row.kind === 'oidc' ? callbackOf(baseUrl, row.id) : null,
    backchannel_logout_uri: row.kind === 'oidc' ? logoutUriOf(baseUrl, row.id) : null,
    saml:
      ssoUrl === null || certificates === null
        ? null
        : {
            ...serviceAddresses(baseUrl, row.id),
            sso_url: ssoUrl,
            metadata_url: row.metadata_url,
            metadata_read_at: row.metadata_read_at,
            certificates: certificates.map(certificateResponse),
            subject_attribute: row.subject_attribute,
          },
    domains,
    people_count: people,
  };
}

/** Of the settings, without what changes by itself: tests, proofs of domains, reads of metadata, and figures. */
export async function connectionEtag(tenant: Tenant, row: SignInConnectionRow): Promise<string> {
  const { tested_at: _, metadata_read_at: __, ...settings } = row;
  const domains = (await domainsOf(tenant, row.id)).map(({ domain }) => domain);
  return entityTag([settings, domains]);
}

/** The response of an operation that reads or changes a connection. */
export async function showConnection(tenant: Tenant, row: SignInConnectionRow, baseUrl: string) {
  const headers = { ETag: await connectionEtag(tenant, row) };
  return { status: 200 as const, headers, body: await connectionResponse(tenant, row, baseUrl) };
}

/** Unique per connection, so that a response of one provider never counts for another. */
export function callbackOf(baseUrl: string, id: string): string {
  return `${baseUrl}/oauth/connections/${id}/callback`;
}

function jwksUriOf(baseUrl: string, id: string): string {
  return `${baseUrl}/oauth/connections/${id}/jwks`;
}

function logoutUriOf(baseUrl: string, id: string): string {
  return `${baseUrl}/oauth/connections/${id}/backchannel-logout`;
}

export function connectionLocation({ id }: { id: string }): string {
  return `/v1/sign-in-connections/${id}`;
}

/** @throws 404 */
export async function findSignInConnection(tenant: Tenant, id: string): Promise<SignInConnectionRow> {
  const row = isId(id) ? await connections(tenant).where('id', '=', id.toLowerCase()).executeTakeFirst() : undefined;
  if (!row) throw notFound();
  return row;
}

/** Locks a connection against changes until the end of the transaction. @throws 404 if it was deleted in the meantime */
export async function lockConnection(tx: TenantTransaction, id: string): Promise<SignInConnectionRow> {
  const row = await connections(tx).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function oldestConnections(
  tenant: Tenant,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<SignInConnectionRow[]> {
  return connections(tenant)
    .$call(keyset(['created_at', 'id'], 'asc', after))
    .limit(sql.lit(count))
    .execute();
}

function connections(tenant: Tenant) {
  return tenant.global
    .selectFrom('sign_in_connections')
    .select(connectionColumns)
    .where('company_id', '=', tenant.company_id);
}
