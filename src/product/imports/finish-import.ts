/** Ends an import: final state, event, and removal of its files. */
import { sql } from 'kysely';
import type { Text } from '../../contract/languages/text.ts';
import { listFromStored } from '../../contract/stored.ts';
import { actorOfResult } from '../../identity/installations/installation-names.ts';
import { recordAudit } from '../../platform/audit/entry.ts';
import { discardObject } from '../../platform/files/discard-files.ts';
import { auditedNames } from '../audit/changed-fields.ts';
import { emit } from '../events/emit.ts';
import type { ImportRun } from './import-run.ts';
import { notifyFailed } from './notify-failed.ts';
import { type ImportRow, importRowColumns, lockImport } from './state/find-import.ts';
import { Superseded } from './state/import-lease.ts';
import { countsOf, failureText, rowsCounted } from './state/import-response.ts';

type FailureReason =
  | 'unreadable'
  | 'insufficient_scope'
  | 'aborted'
  | 'forbidden'
  | 'interrupted'
  | 'quota_exceeded'
  | 'internal_error';

type Ending =
  | { status: 'completed' | 'completed_with_errors'; report_key: string | null }
  | {
      status: 'failed';
      reason: FailureReason;
      message: Text;
      report_key: string | null;
    };

/** @throws Superseded if another worker has taken over; the report is then removed */
export async function finishImport(
  { tenant, storage, postage }: Pick<ImportRun, 'tenant' | 'storage' | 'postage'>,
  row: ImportRow,
  ending: Ending,
): Promise<void> {
  try {
    const actor = await actorOfResult(tenant, row.committed_by ?? row.created_by);
    await tenant.transaction(async (tx) => {
      const current = await lockImport(tx, row.id);
      if (current.due_at === null || current.position < row.position) throw new Superseded();
      const remainingRows = Math.max((current.rows_total ?? 0) - rowsCounted(countsOf(current)), 0);
      const keepsFile = current.dry_run && ending.status !== 'failed';
      const ended = await tx
        .updateTable('imports')
        .set({
          status: ending.status,
          failure_reason: ending.status === 'failed' ? ending.reason : null,
          failure_message: ending.status === 'failed' ? failureText(ending.message, 'en') : null,
          failure_said: ending.status === 'failed' ? JSON.stringify(ending.message.stored()) : null,
          skipped_count: current.skipped_count + remainingRows,
          report_key: ending.report_key,
          due_at: null,
          attempts: 0,
          is_held: false,
          completed_at: sql<string>`now()`,
          ...(!keepsFile && { key: null, row_levels: null }),
        })
        .where('id', '=', row.id)
        .returning(importRowColumns)
        .executeTakeFirstOrThrow();
      const { id, filename, mode, dry_run: dryRun, rows_total: rowsTotal } = ended;
      const counts = countsOf(ended);
      recordAudit(tx, {
        action: ending.status === 'failed' ? 'import.failed' : 'import.completed',
        actor,
        target: { type: 'import', id },
        details: { mode, dry_run: dryRun, rows: rowsTotal, ...counts, ...changedFields(ended) },
      });
      const { created_by: createdBy, created_at: createdAt } = ended;
      const subject = { id, filename, mode, dry_run: dryRun };
      const rest = { rows_total: rowsTotal, counts, created_by: createdBy, created_at: createdAt };
      const endedAt = ended.completed_at!;
      if (ending.status === 'failed') {
        const failure = { reason: ending.reason, message: ended.failure_message! };
        emit(tx, 'import.failed', { ...subject, ...failure, ...rest, failed_at: endedAt });
        if (!dryRun) await notifyFailed(tx, postage.mail, ended, ending.message); // someone watches a dry run
      } else {
        const { status } = ending;
        emit(tx, 'import.completed', { ...subject, status, ...rest, rows_total: rowsTotal!, completed_at: endedAt });
      }
      return keepsFile;
    });
  } catch (error) {
    if (error instanceof Superseded) await discardObject(storage, ending.report_key);
    throw error;
  }
  if (!row.dry_run || ending.status === 'failed') await discardObject(storage, row.key);
}

/** The fields of all columns; only the history has the changes per row. */
function changedFields({ dry_run: isCheck, updated_count: updatedCount, columns }: ImportRow) {
  if (isCheck || updatedCount === 0) return {};
  const fields = listFromStored('ImportColumn', columns).flatMap(({ field }) => (field ? auditedNames(field) : []));
  return { changed_fields: [...new Set(fields)].sort() };
}

export function failed(reason: FailureReason, message: Text) {
  return { status: 'failed', reason, message } as const;
}
