/**
 * A company's view of the access that people gave to apps. A grant (`identity/grants`) may cover several companies: each sees its
 * own part, and ends it for itself.
 */

import { type QueryCreator, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { notFound } from '../../contract/problem.ts';
import { keyset } from '../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';

type Connection = components['schemas']['Connection'];

export type ConnectionRow = Awaited<ReturnType<typeof newestConnections>>[number];

interface Filters {
  client_id?: string | undefined;
  kind?: 'person' | 'installation' | undefined;
  allowed_by?: string | undefined;
  /** Only connections of this user. */
  user_id?: string | undefined;
  needs_confirmation?: boolean | undefined;
}

export async function newestConnections(
  tenant: Tenant,
  { client_id: clientId, kind, allowed_by: allowedBy, user_id: userId, needs_confirmation: needsConfirmation }: Filters,
  count: number,
  after: [createdAt: string, id: string] | undefined,
) {
  return connections(tenant)
    .$if(clientId !== undefined, (query) => query.where('g.client_id', '=', clientId!))
    .$if(kind !== undefined, (query) =>
      query.where('g.installation_role', kind === 'installation' ? 'is not' : 'is', null),
    )
    .$if(allowedBy !== undefined, (query) => query.where('g.user_id', '=', allowedBy!))
    .$if(userId !== undefined, (query) => query.where(ownOf(userId!)))
    .$if(needsConfirmation !== undefined, (query) =>
      query.where('g.confirmation_requested_at', needsConfirmation ? 'is not' : 'is', null),
    )
    .$call(keyset(['g.created_at', 'g.id'], 'desc', after))
    .limit(sql.lit(count))
    .execute();
}

/** @throws 404 */
export async function findConnection(tenant: Tenant, id: string, userId?: string): Promise<ConnectionRow> {
  if (id.includes('\0')) throw notFound(); // Postgres rejects NUL in texts
  const row = await connections(tenant)
    .where('g.id', '=', id)
    .$if(userId !== undefined, (query) => query.where(ownOf(userId!)))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Locks a connection until the end of the transaction. @throws 404 if it has ended meanwhile */
export async function lockConnection(tx: TenantTransaction, id: string): Promise<ConnectionRow> {
  await tx.global.selectFrom('oauth_grants').select('id').where('id', '=', id).forUpdate().execute();
  return findConnection(tx, id);
}

/** An installation belongs to the company, not to its installer. */
function ownOf(userId: string) {
  return sql<boolean>`(g.user_id = ${userId}::uuid and g.installation_role is null)`;
}

function connections(tenant: Tenant) {
  return tenant.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as app', 'app.id', 'g.client_id')
    .select([
      'g.id',
      'g.user_id',
      'g.client_id',
      'g.scopes',
      'g.created_at',
      'g.expires_at',
      'g.installation_role',
      'g.suspended_at',
      'g.confirmation_requested_at',
      'app.name as app_name',
      'app.website',
      'app.company_id as maker_id',
    ])
    .where(sql<boolean>`g.company_ids @> array[${tenant.company_id}::uuid]`)
    .where('g.revoked_at', 'is', null)
    .where(({ eb }) => eb.or([eb('g.expires_at', 'is', null), eb('g.expires_at', '>', sql<string>`now()`)]));
}

/** Uses people's names in the company's own records. */
export async function connectionViews(tenant: Tenant, rows: readonly ConnectionRow[]): Promise<Connection[]> {
  const [makers, people, uses] = [
    await companyNames(tenant.global, [...new Set(rows.flatMap(({ maker_id: makerId }) => makerId ?? []))]),
    await peopleOf(tenant, rows),
    await usesOf(
      tenant,
      rows.map(({ id }) => id),
    ),
  ];
  return rows.map(
    ({
      id,
      user_id: userId,
      client_id: clientId,
      app_name: name,
      website,
      maker_id: makerId,
      installation_role: installationRole,
      ...rest
    }) => {
      const person = people.get(userId);
      const makerKind = makerId === null ? 'operator' : makerId === tenant.company_id ? 'company' : 'other_company';
      const companyName = makerId === null ? null : (makers.get(makerId) ?? null);
      const used = uses.get(id);
      return {
        id,
        kind: installationRole ? 'installation' : 'person',
        role: installationRole as Connection['role'],
        app: { client_id: clientId, name, website, made_by: makerKind, company_name: companyName },
        allowed_by: { user_id: userId, collaborator_id: person?.id ?? null, name: person?.name ?? null },
        ...rest,
        last_used_at: used?.last_used_at ?? null,
        last_ip: used?.last_ip ?? null,
      };
    },
  );
}

export async function companyNames(
  db: QueryCreator<GlobalTables>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function peopleOf(tenant: Tenant, rows: readonly ConnectionRow[]) {
  const ids = [...new Set(rows.map(({ user_id: userId }) => userId))];
  const people = await tenant
    .selectFrom('collaborators')
    .select(['id', 'user_id', 'name'])
    .where('user_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(people.map((person) => [person.user_id, person]));
}

async function usesOf(tenant: Tenant, ids: readonly string[]) {
  const uses = await tenant
    .selectFrom('connection_uses')
    .select(['connection_id', 'last_used_at', 'last_ip'])
    .where('connection_id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Map(uses.map((use) => [use.connection_id, use]));
}
