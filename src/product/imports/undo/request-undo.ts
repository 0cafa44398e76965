/** Requests the undo of an import; a worker deletes the people. */
import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import { insufficientScope, Problem } from '../../../contract/problem.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { originColumn } from '../../../platform/observe/activity.ts';
import type { ImportActor } from '../create-import.ts';
import { type ImportRow, importRowColumns, lockImport } from '../state/find-import.ts';
import { wakeImports } from '../state/wake-imports.ts';
import { undoStatus } from './undo-state.ts';

const deletingScope = 'collaborators:write';

/** @throws 403 `insufficient_scope`, 404 if it was removed meanwhile, 409 if it can't be undone */
export async function requestUndo(
  tx: TenantTransaction,
  { scopes, user_id: userId }: ImportActor['caller'],
  id: string,
): Promise<ImportRow> {
  if (!scopes.includes(deletingScope)) throw insufficientScope([deletingScope]);
  const row = await lockImport(tx, id);
  const status = undoStatus(row);
  if (status === 'running' || status === 'completed') return row;
  if (status === 'expired') {
    throw new Problem(409, 'conflict', t`An import can be undone within 24 hours of its end.`);
  }
  if (status === 'unavailable') {
    throw new Problem(409, 'conflict', t`Only an import that has ended and added people can be undone.`);
  }
  const requested = await tx
    .updateTable('imports')
    .set({
      undo_requested_by: userId,
      undo_requested_at: sql<string>`now()`,
      undo_due_at: sql<string>`now()`,
      origin: originColumn(),
    })
    .where('id', '=', id)
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
  await wakeImports(tx.raw, tx.company_id);
  return requested;
}
