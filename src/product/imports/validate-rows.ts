/** Checks all rows before any is written, and stores errors, warnings, and progress. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { rowsPerBatch } from './batches.ts';
import type { ImportRun } from './import-run.ts';
import { type Checked, checkPeople, type Match } from './rows/check-rows.ts';
import { interpretationColumns, leaverWarning, managerWarning } from './rows/people/interpretation.ts';
import type { PeopleTable } from './rows/people/people-table.ts';
import { type ImportRow, importRowColumns } from './state/find-import.ts';
import { lockClaimed, Superseded } from './state/import-lease.ts';
import { addErrors, type RowError } from './state/row-errors.ts';

const matchesPerStatement = 2_000;
const progressEveryMs = 500;

/** @throws QuotaExceeded if the company can't have as many people */
export async function validate({ tenant, quotas }: ImportRun, row: ImportRow, table: PeopleTable): Promise<ImportRow> {
  const { rows, has_salaries: hasSalaries } = table;
  const saveProgress = async (set: object) => {
    const { numUpdatedRows } = await tenant
      .updateTable('imports')
      .set(set)
      .where('id', '=', row.id)
      .where('status', '=', 'validating')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Superseded();
  };
  await saveProgress({ rows_total: rows.length, has_salaries: hasSalaries, ...interpretationColumns(table) });
  let savedAt = Date.now();
  const checked = await checkPeople(tenant, table, row, rowsPerBatch, async (rowsChecked) => {
    if (Date.now() - savedAt < progressEveryMs) return;
    savedAt = Date.now();
    await saveProgress({ rows_checked: rowsChecked });
  });
  await quotas.require(tenant, 'people', checked.created);
  if (checked.leavers.length > 0) table.warnings.push(leaverWarning(table, checked.leavers));
  if (checked.withoutManager.length > 0) table.warnings.push(managerWarning(checked.withoutManager));
  const { limit } = await quotas.use(tenant, 'import_errors');
  const limited = { ...checked, errors: maxOf(checked.errors, limit) };
  return tenant.transaction((tx) => storeChecked(tx, row, table, limited));
}

/** Beyond `max`, keeps only the first error of each row, because the set of rows with errors must be complete. */
function maxOf(errors: readonly RowError[], max: number): RowError[] {
  return errors.filter(({ row }, at) => at < max || errors[at - 1]?.row !== row);
}

async function storeChecked(
  tx: TenantTransaction,
  row: ImportRow,
  table: PeopleTable,
  { errors, failed, created, updated, unchanged, matches, levels }: Checked,
): Promise<ImportRow> {
  await lockClaimed(tx, row, 'validating');
  // From a failed attempt.
  await tx.deleteFrom('import_errors').where('import_id', '=', row.id).execute();
  await tx.deleteFrom('import_matches').where('import_id', '=', row.id).execute();
  await addErrors(tx, row.id, errors);
  const aborts = row.on_error === 'abort' && failed > 0;
  if (row.dry_run && !aborts) await storeMatches(tx, row.id, [...matches.values()]);
  const predictedCounts = { created_count: created, updated_count: updated, unchanged_count: unchanged };
  return tx
    .updateTable('imports')
    .set({
      status: row.dry_run || aborts ? 'validating' : 'processing',
      rows_checked: table.rows.length,
      ...interpretationColumns(table),
      failed_count: failed,
      error_count: errors.length,
      row_levels: levels && JSON.stringify(levels),
      // Only if validation won't run again: the next step may be what fails.
      ...(!row.dry_run && !aborts && { attempts: 0 }),
      ...(row.dry_run && !aborts && predictedCounts),
    })
    .where('id', '=', row.id)
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
}

async function storeMatches(tx: TenantTransaction, importId: string, matches: readonly Match[]): Promise<void> {
  for (let at = 0; at < matches.length; at += matchesPerStatement) {
    const part = JSON.stringify(matches.slice(at, at + matchesPerStatement));
    await sql`
      insert into import_matches (company_id, import_id, field, value, collaborator_id, revision)
      select ${tx.company_id}, ${importId}, m.field, m.value, m.collaborator_id, m.revision
      from json_to_recordset(${part}::json) as m (field text, value text, collaborator_id uuid, revision int)`.execute(
      tx.raw,
    );
  }
}
