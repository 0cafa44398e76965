/** Creates an export: small ones immediately, others by a worker. */
import { sql } from 'kysely';
import type { operations } from '../../../generated/api.ts';
import type { Language } from '../../contract/languages/language.ts';
import { serviceUnavailable } from '../../contract/problem.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { NewRow, Tenant } from '../../platform/db/tenant.ts';
import { createConcurrencyLimit } from '../../platform/files/store/concurrency-limit.ts';
import { newKey, type Storage } from '../../platform/files/store/storage.ts';
import { originColumn } from '../../platform/observe/activity.ts';
import { newId } from '../../platform/values/ids.ts';
import { filtersOf } from '../collaborators/list/collaborator-filters.ts';
import type { Quotas } from '../companies/quotas.ts';
import { type ExportRequest, groupFilename } from './content/export-request.ts';
import { countPeople } from './content/exported-people.ts';
import { decidingScopes, omittedFrom } from './content/readable-fields.ts';
import { leaseEnd } from './export-lease.ts';
import { type ExportRow, exportColumns } from './find-export.ts';
import { makeExport } from './make-export.ts';
import { wakeExport } from './wake-exports.ts';

/** The maximum number of collaborators for an immediate export, as the contract says. */
const maxImmediate = 20_000;
const retentionH = 24;

/** Limits concurrent immediate exports in this process. Each occupies a connection of the pool. */
const gate = createConcurrencyLimit(3, 100);

interface Requester extends Viewer {
  caller: { scopes: readonly string[]; user_id: string };
  tenant: Tenant;
  files: Viewer['files'] & { storage: Storage };
  quotas: Quotas;
  exportLeaseS: number;
}

/**
 * @param atOnce maximum number of collaborators for an immediate export
 * @throws 409 at the company's maximum of open exports
 */
export async function createExport(
  requester: Requester,
  request: ExportRequest,
  filename: string,
  atOnce = maxImmediate,
): Promise<ExportRow> {
  await requester.quotas.require(requester.tenant, 'open_exports', 1);
  if (!(await isLarge(requester, request, atOnce))) return makeNow(requester, request, filename);
  return requester.tenant.transaction(async (tx) => {
    const row = await insert(tx, requester, request, filename, { status: 'queued', attempts: 0, due_at: sql`now()` });
    await wakeExport(tx.raw, { company_id: tx.company_id, export_id: row.id });
    return row;
  });
}

type GroupQuery = NonNullable<operations['exportGroup']['parameters']['query']>;

export function createGroupExport(
  requester: Requester,
  { group_by: groupBy = 'department', language, ...filtering }: GroupQuery & { language: Language },
): Promise<ExportRow> {
  const query = { filters: filtersOf(filtering, requester), group_by: groupBy, language };
  const request = { kind: 'group', format: 'xlsx', query } as const;
  return createExport(requester, request, groupFilename(query));
}

async function isLarge(
  { tenant, member }: Requester,
  { kind, query }: ExportRequest,
  atOnce: number,
): Promise<boolean> {
  if (kind === 'individual') return false;
  // Documents have no size limit.
  if (kind === 'personal_data') return true;
  return (await countPeople(tenant, member, query.filters, atOnce + 1)) > atOnce;
}

/** Inserts the row first, with a lease like a worker's: if this process dies, a worker takes over. */
async function makeNow(requester: Requester, request: ExportRequest, filename: string): Promise<ExportRow> {
  const { tenant, files } = requester;
  const leave = await gate.enter();
  if (!leave) throw serviceUnavailable(new Error('too many exports are waiting'));
  try {
    const row = await insert(tenant, requester, request, filename, {
      status: 'processing',
      attempts: 1,
      due_at: leaseEnd(requester.exportLeaseS),
    });
    try {
      return await makeExport(tenant, files, row, requester.exportLeaseS);
    } catch (error) {
      await tenant
        .deleteFrom('exports')
        .where('id', '=', row.id)
        .execute()
        .catch(() => {}); // it expires
      throw error;
    }
  } finally {
    leave();
  }
}

type InitialState = Pick<NewRow<'exports'>, 'status' | 'attempts' | 'due_at'>;

function insert(
  tenant: Tenant,
  requester: Requester,
  request: ExportRequest,
  filename: string,
  initialState: InitialState,
) {
  const { caller, member } = requester;
  const { kind, format, query } = request;
  return tenant
    .insertInto('exports', {
      id: newId(),
      kind,
      format,
      query: JSON.stringify(query),
      filename,
      key: newKey(tenant.company_id, 'exports'),
      scopes: decidingScopes(request, requester),
      role: member.role,
      omitted: omittedFrom(request, requester),
      ...initialState,
      origin: originColumn(),
      created_by: caller.user_id,
      expires_at: sql<string>`now() + make_interval(hours => ${retentionH}::int)`,
    })
    .returning(exportColumns)
    .executeTakeFirstOrThrow();
}
