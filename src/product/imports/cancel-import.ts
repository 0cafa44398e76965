/** Cancels an import. Takes effect immediately, because each batch checks the status before it commits. */
import { sql } from 'kysely';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type ImportRow, importRowColumns, lockImport } from './state/find-import.ts';
import { countsOf, rowsCounted } from './state/import-response.ts';
import { wakeImports } from './state/wake-imports.ts';

/** @throws 404 if it was removed meanwhile, 409 if it has ended */
export async function cancelImport(tx: TenantTransaction, id: string): Promise<ImportRow> {
  const row = await lockImport(tx, id);
  if (row.status === 'cancelled') return row;
  const isOpen = row.due_at !== null;
  const canBeCommitted = row.dry_run && row.status !== 'failed';
  if (!isOpen && !canBeCommitted) throw new Problem(409, 'conflict', t`This import has already ended.`);
  const remainingRows = Math.max((row.rows_total ?? 0) - rowsCounted(countsOf(row)), 0);
  const cancelled = await tx
    .updateTable('imports')
    .set({
      status: 'cancelled',
      skipped_count: row.skipped_count + remainingRows,
      due_at: null,
      completed_at: sql`now()`,
    })
    .where('id', '=', id)
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
  // A worker writes the error report and removes the upload.
  await wakeImports(tx.raw, tx.company_id);
  return cancelled;
}
