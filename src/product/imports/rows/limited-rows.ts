/** Applies the limits of installations to imports. */
import type { Tenant } from '../../../platform/db/tenant.ts';
import { type InstallationLimits, limitsOf, limitViolation } from '../../access/installation-limits.ts';
import { differences } from '../../collaborators/write/differences.ts';
import { hiddenFrom, type ImportRow } from '../state/find-import.ts';
import type { MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf } from './people/row-fields.ts';

type Acting = Pick<ImportRow, 'created_by' | 'committed_by' | 'may_read_salary'>;

/** @returns undefined if the import acts for a person */
export function limitsOfImport(tenant: Tenant, { committed_by: committedBy, created_by: createdBy }: Acting) {
  return limitsOf(tenant, committedBy ?? createdBy);
}

export function refuseLimited(
  table: PeopleTable,
  matchedRows: readonly MatchedRow[],
  limits: InstallationLimits | undefined,
  settings: Acting,
): void {
  if (!limits) return;
  for (const { before, input, row, errors } of matchedRows) {
    if (!before || errors.length > 0) continue;
    const { email, termination_date: terminationDate } = differences(before, input.fields, hiddenFrom(settings));
    const change = { email, termination_date: terminationDate } as Parameters<typeof limitViolation>[2];
    const reason = limitViolation(limits, before, change);
    const field = email === undefined ? 'termination_date' : 'email';
    if (reason) errors.push(errorOf(table, row, field, 'field_not_allowed', reason));
  }
}
