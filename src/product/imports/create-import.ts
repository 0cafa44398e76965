/** Creates an import for a stored file. */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, Problem, validationError } from '../../contract/problem.ts';
import { readFields } from '../../identity/members/company-fields.ts';
import type { Caller, Viewer } from '../../identity/members/member.ts';
import { lockNamed } from '../../platform/db/named-lock.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { originColumn } from '../../platform/observe/activity.ts';
import { newId } from '../../platform/values/ids.ts';
import { seesSalaries } from '../access/hidden-fields.ts';
import type { ReceivedImport } from './receive-import-file.ts';
import { type CustomFieldKey, isCustomField, targetError } from './rows/columns/custom-field-columns.ts';
import { type ImportRow, importRowColumns } from './state/find-import.ts';
import { wakeImports } from './state/wake-imports.ts';

const retentionDays = 30;

type Request = components['schemas']['ImportRequest'];

export type ImportActor = Pick<Viewer, 'member'> & { caller: Caller & { user_id: string } };

type ImportOptions = Pick<
  Request,
  | 'mode'
  | 'match_by'
  | 'dry_run'
  | 'on_error'
  | 'send_invitations'
  | 'empty_cells'
  | 'sheet'
  | 'encoding'
  | 'mapping'
  | 'date_order'
  | 'decimal'
  | 'name_order'
  | 'garbled_text'
  | 'unknown_columns'
  | 'unknown_managers'
>;

/**
 * @param starter their token decides whether the file may contain salaries, and whether these are compared
 * @param maxOpen maximum number of unfinished imports of the company
 * @throws 400 for a sheet of a CSV file, the encoding of a workbook, or a custom field that imports can't write; 409 at the limit
 */
export async function createImport(
  tx: TenantTransaction,
  starter: ImportActor,
  { sha256, ...file }: ReceivedImport,
  options: ImportOptions,
  maxOpen: number,
): Promise<ImportRow> {
  if (typeof options.sheet === 'string' && file.format === 'csv') {
    const message = t`A CSV file has no sheets.`;
    throw validationError({ sheet: [{ code: 'field_not_allowed', message }] });
  }
  if (typeof options.encoding === 'string' && file.format !== 'csv') {
    const message = t`A workbook declares its own encoding.`;
    throw validationError({ encoding: [{ code: 'field_not_allowed', message }] });
  }
  await requireTargets(tx, options.mapping);
  await refuseTooMany(tx, maxOpen);
  const row = await tx
    .insertInto('imports', {
      id: newId(),
      ...file,
      sha256: Buffer.from(sha256, 'hex'),
      mode: options.mode ?? 'create',
      match_by: options.match_by ?? null,
      on_error: options.on_error ?? 'continue',
      empty_cells: options.empty_cells ?? 'keep',
      send_invitations: options.send_invitations ?? false,
      dry_run: options.dry_run ?? false,
      sheet: options.sheet ?? null,
      encoding: options.encoding ?? null,
      mapping: JSON.stringify(options.mapping ?? {}),
      date_order: options.date_order ?? null,
      decimal: options.decimal ?? null,
      name_order: options.name_order ?? null,
      garbled_text: options.garbled_text ?? null,
      unknown_columns: options.unknown_columns ?? null,
      unknown_managers: options.unknown_managers ?? 'fail',
      may_write_salary: starter.caller.scopes.includes('salary:write'),
      may_read_salary: seesSalaries(starter),
      due_at: sql<string>`now()`,
      origin: originColumn(),
      created_by: starter.caller.user_id,
      expires_at: sql<string>`now() + make_interval(days => ${retentionDays}::int)`,
    })
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
  await wakeImports(tx.raw, tx.company_id);
  return row;
}

/** @throws 400 for a custom field that doesn't exist, or that imports can't write */
async function requireTargets(tx: TenantTransaction, mapping: ImportOptions['mapping']): Promise<void> {
  const targets = Object.entries(mapping ?? {}).filter(([, target]) => isCustomField(target ?? undefined));
  if (targets.length === 0) return;
  const fields = await readFields(tx);
  const errors: FieldErrors = {};
  for (const [header, target] of targets) {
    const error = targetError(fields, target as CustomFieldKey);
    if (error) errors[`mapping.${header}`] = [error];
  }
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

/** Takes a lock, so that concurrent requests can't exceed the maximum. */
async function refuseTooMany(tx: TenantTransaction, maxOpen: number): Promise<void> {
  await lockNamed(tx, 'imports');
  const open = await tx.selectFrom('imports').select('id').where('due_at', 'is not', null).limit(maxOpen).execute();
  if (open.length < maxOpen) return;
  const message = t`${maxOpen} imports of this company have not ended. Wait for one, or cancel it.`;
  throw new Problem(409, 'conflict', message, {
    details: { quota: 'open_imports', quota_limit: maxOpen, quota_used: open.length },
  });
}
