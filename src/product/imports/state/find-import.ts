import type { Selectable } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Imports } from '../../../../generated/db.ts';
import { notFound } from '../../../contract/problem.ts';
import { keyset } from '../../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { isId } from '../../access/records.ts';

export const importRowColumns = [
  'id',
  'filename',
  'format',
  'size',
  'key',
  'mode',
  'match_by',
  'on_error',
  'empty_cells',
  'send_invitations',
  'dry_run',
  'sheet',
  'encoding',
  'encoding_guess',
  'mapping',
  'date_order',
  'decimal',
  'name_order',
  'garbled_text',
  'unknown_columns',
  'unknown_managers',
  'questions',
  'layout',
  'preview',
  'may_write_salary',
  'may_read_salary',
  'header_row',
  'columns',
  'warnings',
  'has_salaries',
  'status',
  'rows_total',
  'rows_checked',
  'position',
  'created_count',
  'updated_count',
  'unchanged_count',
  'skipped_count',
  'failed_count',
  'error_count',
  'failure_reason',
  'failure_message',
  'failure_said',
  'report_key',
  'due_at',
  'attempts',
  'deaths',
  'deaths_total',
  'created_by',
  'created_at',
  'committed_by',
  'committed_at',
  'completed_at',
  'expires_at',
  'origin',
  'undo_requested_by',
  'undo_requested_at',
  'undo_removed_count',
  'undo_report',
  'undo_completed_at',
  'undo_due_at',
] as const satisfies (keyof Imports)[];

export type ImportRow = Pick<Selectable<Imports>, (typeof importRowColumns)[number]>;
export type ImportStatus = components['schemas']['ImportStatus'];

/** @throws 404 */
export async function findImport(tenant: Tenant, id: string): Promise<ImportRow> {
  const row = isId(id)
    ? await tenant.selectFrom('imports').select(importRowColumns).where('id', '=', id).executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** Waits for a batch in progress. @throws 404 if it was removed meanwhile */
export async function lockImport(tx: TenantTransaction, id: string): Promise<ImportRow> {
  const row = await tx
    .selectFrom('imports')
    .select(importRowColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function newestImports(
  tenant: Tenant,
  status: ImportStatus | undefined,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<ImportRow[]> {
  return tenant
    .selectFrom('imports')
    .select(importRowColumns)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$call(keyset(['created_at', 'id'], 'desc', after))
    .limit(count)
    .execute();
}

export function importLocation({ id }: Pick<ImportRow, 'id'>): string {
  return `/v1/imports/${id}`;
}

/** Fields that rows aren't compared with, because the import's starter may not see them. */
export function hiddenFrom({ may_read_salary: mayReadSalary }: Pick<ImportRow, 'may_read_salary'>): readonly string[] {
  return mayReadSalary ? [] : ['salary'];
}
