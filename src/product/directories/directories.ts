/**
 * Identity providers that provision a company's people by SCIM. Stored outside of the company tables, because a request
 * identifies the directory before the company is known; here every access is bound to the company.
 */

import { type Selectable, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Directories } from '../../../generated/db.ts';
import { notFound } from '../../contract/problem.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { keyset } from '../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { entityTag } from '../../platform/values/entity-tag.ts';
import { isId } from '../access/records.ts';

type Directory = components['schemas']['Directory'];

export const directoryColumns = [
  'id',
  'name',
  'on_delete',
  'on_create',
  'match_by',
  'on_local_change',
  'default_department',
  'default_position',
  'field_mapping',
  'token_created_at',
  'previous_token_expires_at',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies (keyof Directories)[];

export type FieldMapping = Directory['field_mapping'];

export type DirectoryRow = Pick<Selectable<Directories>, (typeof directoryColumns)[number]>;

/** Omits the token. @param baseUrl public address of the service */
export async function directoryResponse(tenant: Tenant, row: DirectoryRow, baseUrl: string): Promise<Directory> {
  const figures = await figuresOf(tenant, row.id);
  const previous = row.previous_token_expires_at;
  return {
    ...row,
    on_delete: row.on_delete as Directory['on_delete'],
    on_create: row.on_create as Directory['on_create'],
    match_by: row.match_by as Directory['match_by'],
    on_local_change: row.on_local_change as Directory['on_local_change'],
    field_mapping: row.field_mapping as unknown as FieldMapping,
    scim_url: `${baseUrl}/scim/v2/${row.id}`,
    ...figures,
    previous_token_expires_at: previous && Date.parse(previous) > Date.now() ? previous : null,
  };
}

/** Without the figures, which change while the provider sends people. */
export async function directoryEtag(tenant: Tenant, row: DirectoryRow): Promise<string> {
  const mapping = await roleMappingOf(tenant, row.id);
  return entityTag([row, mapping]);
}

/** The response of an operation that reads or changes a directory. */
export async function showDirectory(tenant: Tenant, row: DirectoryRow, baseUrl: string) {
  const headers = { ETag: await directoryEtag(tenant, row) };
  return { status: 200 as const, headers, body: await directoryResponse(tenant, row, baseUrl) };
}

async function figuresOf(tenant: Tenant, id: string) {
  const [people, errors, sync, mapped] = await Promise.all([
    countRows(tenant.selectFrom('directory_people').where('directory_id', '=', id).where('removed_at', 'is', null)),
    countRows(tenant.selectFrom('directory_errors').where('directory_id', '=', id)),
    tenant
      .selectFrom('directory_syncs')
      .select('last_request_at')
      .where('directory_id', '=', id)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    roleMappingOf(tenant, id),
  ]);
  return {
    people_count: people,
    error_count: errors,
    last_sync_at: sync?.last_request_at ?? null,
    role_mapping: mapped as Directory['role_mapping'],
  };
}

async function roleMappingOf(tenant: Tenant, id: string) {
  return tenant
    .selectFrom('directory_groups')
    .select(['id as group_id', 'role'])
    .where('directory_id', '=', id)
    .where('role', 'is not', null)
    .orderBy('id')
    .execute();
}

export function directoryLocation({ id }: { id: string }): string {
  return `/v1/directories/${id}`;
}

/** @throws 404 */
export async function findDirectory(tenant: Tenant, id: string): Promise<DirectoryRow> {
  const row = isId(id) ? await directories(tenant).where('id', '=', id.toLowerCase()).executeTakeFirst() : undefined;
  if (!row) throw notFound();
  return row;
}

/** Locks a directory against changes until the end of the transaction. @throws 404 if it was deleted meanwhile */
export async function lockDirectory(tx: TenantTransaction, id: string): Promise<DirectoryRow> {
  const row = await directories(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function oldestDirectories(
  tenant: Tenant,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<DirectoryRow[]> {
  return directories(tenant)
    .$call(keyset(['created_at', 'id'], 'asc', after))
    .limit(sql.lit(count))
    .execute();
}

function directories(tenant: Tenant) {
  return tenant.global.selectFrom('directories').select(directoryColumns).where('company_id', '=', tenant.company_id);
}
