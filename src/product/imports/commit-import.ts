/** Commits a dry run, if its result is still valid. */
import { type RawBuilder, sql } from 'kysely';
import { t } from '../../contract/languages/text.ts';
import { insufficientScope, Problem } from '../../contract/problem.ts';
import { requireStepUp } from '../../identity/members/step-up.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { originColumn } from '../../platform/observe/activity.ts';
import { seesSalaries } from '../access/hidden-fields.ts';
import { type MatchField, matchFields } from '../collaborators/fields/match.ts';
import type { ImportActor } from './create-import.ts';
import { type ImportRow, importRowColumns, lockImport } from './state/find-import.ts';
import { wakeImports } from './state/wake-imports.ts';

/**
 * @throws 401 `insufficient_user_authentication`, 403 `insufficient_scope`, 404 if it was removed, 409 if it can't be
 *   committed
 */
export async function commitImport(tx: TenantTransaction, actor: ImportActor, id: string): Promise<ImportRow> {
  const { caller } = actor;
  const row = await lockImport(tx, id);
  const missing = scopesOf(row).filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) throw insufficientScope(missing);
  if (row.has_salaries) requireStepUp(caller);
  if (!row.dry_run || !['completed', 'completed_with_errors'].includes(row.status)) {
    throw new Problem(409, 'conflict', t`Only a dry run that has completed can be committed.`);
  }
  if (await hasChanged(tx, id)) {
    throw new Problem(409, 'conflict', t`People in this file have changed since it was checked. Import it again.`);
  }
  const committed = await tx
    .updateTable('imports')
    .set({
      status: 'queued',
      dry_run: false,
      may_write_salary: caller.scopes.includes('salary:write'),
      may_read_salary: row.may_read_salary && seesSalaries(actor),
      position: 0,
      deaths: 0,
      deaths_total: 0,
      created_count: 0,
      updated_count: 0,
      unchanged_count: 0,
      report_key: null, // the sweep removes its object
      due_at: sql<string>`now()`,
      completed_at: null,
      origin: originColumn(),
      committed_by: caller.user_id,
      committed_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
  await wakeImports(tx.raw, tx.company_id);
  return committed;
}

function scopesOf({ has_salaries: hasSalaries, send_invitations: sendInvitations }: ImportRow): string[] {
  return [...(hasSalaries ? ['salary:write'] : []), ...(sendInvitations ? ['invitations:send'] : [])];
}

/** Whether a person matched by the dry run was added, changed, or removed since. */
async function hasChanged(tx: TenantTransaction, id: string): Promise<boolean> {
  const { company_id: companyId } = tx;
  for (const field of matchFields) {
    const { rows } = await sql`
      select 1 from import_matches m
      left join collaborators c on c.company_id = ${companyId} and ${matchCondition[field]} and c.deleted_at is null
      where m.company_id = ${companyId} and m.import_id = ${id} and m.field = ${field}
        and (c.id is distinct from m.collaborator_id or c.revision is distinct from m.revision)
      limit 1`.execute(tx.raw);
    if (rows.length > 0) return true;
  }
  return false;
}

const matchCondition: Record<MatchField, RawBuilder<boolean>> = {
  id: sql`c.id = m.collaborator_id`,
  external_id: sql`c.external_id = m.value`,
  employee_number: sql`c.employee_number = m.value`,
  email: sql`lower(c.email) = m.value`,
};
