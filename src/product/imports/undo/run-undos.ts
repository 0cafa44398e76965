/**
 * Undoes imports: deletes people in batches, those without reports first. Each batch is one transaction and derives what is left,
 * so it continues after a crash.
 */
import { sql } from 'kysely';
import { actorOfResult } from '../../../identity/installations/installation-names.ts';
import { recordAudit } from '../../../platform/audit/entry.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Origin } from '../../../platform/observe/activity.ts';
import { resume } from '../../../platform/observe/resume-trace.ts';
import { type CollaboratorRow, collaboratorColumns } from '../../access/records.ts';
import { lockHierarchy } from '../../collaborators/fields/hierarchy.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import { cancelInvitations } from '../../collaborators/membership/invitations.ts';
import { eventSubject } from '../../collaborators/responses/collaborator-response.ts';
import { type CountedTransaction, counted } from '../../collaborators/write/collaborator-counts.ts';
import { changeEach } from '../../collaborators/write/write-many.ts';
import { rowsPerBatch } from '../batches.ts';
import { type ImportRun, isOver } from '../import-run.ts';
import { NoLongerAllowed, requireStarter } from '../starter.ts';
import { type ImportRow, importRowColumns, lockImport } from '../state/find-import.ts';
import { leaseEnd } from '../state/import-lease.ts';
import { classifyAdded, countDeleted, hasReports, isChanged, maxNamed } from './added-people.ts';
import { withDeleted } from './undo-response.ts';
import type { UndoReport } from './undo-state.ts';

/** @returns whether something is left: another worker holds it, or the run has ended */
export async function runUndos(run: ImportRun): Promise<boolean> {
  const { tenant, leaseS, log, tracer } = run;
  for (;;) {
    const row = await claimUndo(tenant, leaseS);
    if (!row) return (await nextUndo(tenant)) !== undefined;
    const about = { company_id: tenant.company_id, import_id: row.id };
    const origin = row.origin as Origin | null;
    try {
      await resume(tracer, { name: 'import undo', origin, attributes: { 'import.id': row.id } }, () => undo(run, row));
    } catch (error) {
      log.error({ ...about, err: error }, 'undo was interrupted'); // due again when the lease expires
      return true;
    }
    if (!isOver(run)) continue;
    await tenant
      .updateTable('imports')
      .set({ undo_due_at: sql`now()` })
      .where('id', '=', row.id)
      .where('undo_due_at', 'is not', null)
      .execute();
    return true;
  }
}

function nextUndo(tenant: Tenant) {
  return tenant.selectFrom('imports').select('id').where('undo_due_at', 'is not', null).limit(1).executeTakeFirst();
}

async function claimUndo(tenant: Tenant, leaseS: number): Promise<ImportRow | undefined> {
  const due = tenant
    .selectFrom('imports')
    .select('id')
    .where('undo_due_at', '<=', sql<string>`now()`)
    .orderBy('undo_due_at')
    .limit(1);
  return tenant
    .updateTable('imports')
    .set({ undo_due_at: leaseEnd(leaseS) })
    .where('id', '=', due)
    .where('undo_due_at', '<=', sql<string>`now()`) // another worker may have taken it
    .returning(importRowColumns)
    .executeTakeFirst();
}

async function undo(run: ImportRun, row: ImportRow): Promise<void> {
  const { tenant, leaseS } = run;
  try {
    while (!isOver(run)) {
      const hasMore = await counted(tenant, (tx) => removeBatch(tx, row, leaseS));
      if (!hasMore) return await complete(tenant, row, true);
    }
  } catch (error) {
    if (!(error instanceof NoLongerAllowed)) throw error;
    await complete(tenant, row, false);
  }
}

/** @returns whether people were deleted, or must be searched again because they changed meanwhile */
async function removeBatch(tx: CountedTransaction, { id, undo_requested_by: userId }: ImportRow, leaseS: number) {
  await lockHierarchy(tx);
  await lockAdmins(tx);
  const current = await lockImport(tx, id);
  if (current.undo_due_at === null) return false;
  await requireStarter(tx, { created_by: userId, committed_by: null });
  const found = await removable(tx, id).select('id').orderBy('id').limit(rowsPerBatch).execute();
  if (found.length === 0) return false;
  const rows = await lockRemovable(
    tx,
    id,
    found.map((each) => each.id),
  );
  await remove(tx, rows, userId);
  await tx
    .updateTable('imports')
    .set((eb) => ({ undo_removed_count: eb('undo_removed_count', '+', rows.length), undo_due_at: leaseEnd(leaseS) }))
    .where('id', '=', id)
    .execute();
  return true;
}

function removable(tx: TenantTransaction, importId: string) {
  return tx
    .selectFrom('collaborators')
    .where('import_id', '=', importId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`not ${isChanged(tx, 'collaborators')}`)
    .where(sql<boolean>`not ${hasReports(tx, 'collaborators')}`);
}

/** Checks again after locking, because they may have changed until then. */
async function lockRemovable(tx: TenantTransaction, importId: string, ids: string[]): Promise<CollaboratorRow[]> {
  const among = sql<string>`any(${ids}::uuid[])`;
  await tx.selectFrom('collaborators').select('id').where('id', '=', among).orderBy('id').forNoKeyUpdate().execute();
  return removable(tx, importId).select(collaboratorColumns).where('id', '=', among).execute();
}

/** Like `deleteLocked`, for people without reports and accounts. */
async function remove(tx: CountedTransaction, rows: readonly CollaboratorRow[], userId: string | null): Promise<void> {
  const deletedAt = new Date().toISOString();
  await cancelInvitations(
    tx,
    rows.map(({ id }) => id),
  );
  const changes = rows.map((before) => ({
    before,
    change: {
      set: { deleted_at: deletedAt },
      action: 'deleted',
      description: 'Collaborator deleted, because its import was undone',
      event: 'collaborator.deleted' as const,
      payload: (after: CollaboratorRow) => ({
        ...eventSubject(after),
        deleted_by: userId,
        deleted_at: after.deleted_at!,
      }),
    },
  }));
  await changeEach(tx, { user_id: userId }, 'collaborator.deleted', { deleted_at: 'timestamptz' }, changes);
}

async function complete(tenant: Tenant, { id, undo_requested_by: userId }: ImportRow, isAllowed: boolean) {
  const actor = await actorOfResult(tenant, userId);
  await tenant.transaction(async (tx) => {
    const { undo_due_at: dueAt, undo_removed_count: removed } = await lockImport(tx, id);
    if (dueAt === null) return;
    const { removable: remaining, ...report } = await classifyAdded(tx, id);
    const before = (await countDeleted(tx, id)) - removed;
    const kept = withDeleted(
      isAllowed || remaining === 0 ? report.kept : [...report.kept, { reason: 'forbidden', count: remaining }],
      before,
    );
    const stored: UndoReport = { kept, people: report.people.slice(0, maxNamed) };
    await tx
      .updateTable('imports')
      .set({ undo_report: JSON.stringify(stored), undo_completed_at: sql<string>`now()`, undo_due_at: null })
      .where('id', '=', id)
      .execute();
    const counts = Object.fromEntries(kept.map(({ reason, count }) => [reason, count]));
    recordAudit(tx, {
      action: 'import.undone',
      actor,
      target: { type: 'import', id },
      details: { removed, kept: counts },
    });
  });
}
