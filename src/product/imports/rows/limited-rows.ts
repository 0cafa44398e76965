/** Applies the limits of installations to imports. */
import type { Tenant } from '../../../platform/db/tenant.ts';
import { type InstallationLimits, limitedBy, limitsOf } from '../../access/installation-limits.ts';
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
  judged: readonly MatchedRow[],
  limits: InstallationLimits | undefined,
  settings: Acting,
): void {
  if (!limits) return;
  for (const { before, said, row, errors } of judged) {
    if (!before || errors.length > 0) continue;
    const { email, termination_date: terminationDate } = differences(before, said.fields, hiddenFrom(settings));
    const change = { email, termination_date: terminationDate } as Parameters<typeof limitedBy>[2];
    const why = limitedBy(limits, before, change);
    const field = email === undefined ? 'termination_date' : 'email';
    if (why) errors.push(errorOf(table, row, field, 'field_not_allowed', why));
  }
}
