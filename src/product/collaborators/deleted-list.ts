/** Deleted collaborators that can still be restored. */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { containing } from './list/collaborator-filters.ts';
import { restorableMs } from './remove-collaborator.ts';

type DeletedCollaborator = components['schemas']['DeletedCollaborator'];

export function newestDeleted(tenant: Tenant, search: string | undefined, count: number, after?: [string, string]) {
  return restorable(tenant, search)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('deleted_at', 'id'), '<', tuple(sql<string>`${after![0]}::timestamptz`, after![1])),
      ),
    )
    .select(['id', 'name', 'email', 'position', 'department'])
    .select(sql<string>`deleted_at`.as('deleted_at'))
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute();
}

export async function countDeleted(tenant: Tenant, search: string | undefined): Promise<number> {
  return countRows(restorable(tenant, search));
}

type Row = Awaited<ReturnType<typeof newestDeleted>>[number];

export function deletedResponse(row: Row): DeletedCollaborator {
  return { ...row, restorable_until: new Date(Date.parse(row.deleted_at) + restorableMs).toISOString() };
}

/** An index covers the deletions of 30 days: few enough to scan for a search. */
function restorable(tenant: Tenant, search: string | undefined) {
  return tenant
    .selectFrom('collaborators')
    .where('deleted_at', '>=', new Date(Date.now() - restorableMs).toISOString())
    .where('erased_at', 'is', null)
    .$if(search !== undefined, (query) => query.where(sql`search_text`, 'like', containing(search!)));
}
