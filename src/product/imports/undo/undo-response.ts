/** API representation of an undo: preview, progress, or report. */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { ImportRow } from '../state/find-import.ts';
import { classifyAdded, countDeleted } from './added-people.ts';
import { type UndoReport, undoableUntil, undoStatus } from './undo-state.ts';

type ImportUndo = components['schemas']['ImportUndo'];

export async function undoResponse(tenant: Tenant, row: ImportRow): Promise<ImportUndo> {
  const status = undoStatus(row);
  const { removed, kept, people } = await outcomeOf(tenant, row, status);
  return {
    import_id: row.id,
    status,
    until: undoableUntil(row),
    removed_count: removed,
    kept,
    people: await withNames(tenant, people),
    requested_by: row.undo_requested_by,
    requested_at: row.undo_requested_at,
    completed_at: row.undo_completed_at,
  };
}

async function outcomeOf(
  tenant: Tenant,
  row: ImportRow,
  status: ReturnType<typeof undoStatus>,
): Promise<UndoReport & { removed: number }> {
  if (status === 'completed') {
    return { removed: row.undo_removed_count, ...(row.undo_report as unknown as UndoReport) };
  }
  if (status !== 'available') return { removed: row.undo_removed_count, kept: [], people: [] };
  const { removable, kept, people } = await classifyAdded(tenant, row.id);
  return { removed: removable, kept: withDeleted(kept, await countDeleted(tenant, row.id)), people };
}

export function withDeleted(kept: UndoReport['kept'], count: number): UndoReport['kept'] {
  return count > 0 ? [...kept, { reason: 'already_deleted', count }] : kept;
}

/** People deleted or erased since have no name. */
async function withNames(tenant: Tenant, people: UndoReport['people']): Promise<ImportUndo['people']> {
  if (people.length === 0) return [];
  const ids = people.map(({ id }) => id);
  const rows = await tenant
    .selectFrom('collaborators')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return people.flatMap((person) => {
    const name = names.get(person.id);
    return name === undefined ? [] : [{ id: person.id, name, reason: person.reason }];
  });
}
