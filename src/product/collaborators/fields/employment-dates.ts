import { t } from '../../../contract/languages/text.ts';
import type { FieldError, FieldErrors } from '../../../contract/problem.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { dayIn } from '../../../platform/values/time-zones.ts';

/** As YYYY-MM-DD; null for none; undefined for unchanged. */
interface EmploymentDates {
  hire_date?: unknown;
  termination_date?: unknown;
}

const tooEarly: FieldError = { code: 'out_of_range', message: t`The last day must not be before the first one.` };

/** The last day must not precede the first. @returns the error at the changed field; at the last day if both change */
export function dateErrors(before: EmploymentDates | undefined, changes: EmploymentDates): FieldErrors {
  const { hire_date: hireDate = before?.hire_date, termination_date: terminationDate = before?.termination_date } =
    changes;
  if (typeof hireDate !== 'string' || typeof terminationDate !== 'string') return {};
  if (terminationDate >= hireDate) return {};
  return { [changes.termination_date === undefined ? 'hire_date' : 'termination_date']: [tooEarly] };
}

interface Leaver {
  termination_date?: string | null | undefined;
}

export function hasEnded({ termination_date: terminationDate }: Leaver, today: string | undefined): boolean {
  return Boolean(terminationDate && today && terminationDate < today);
}

export async function hasLeft(tenant: Tenant, person: Leaver): Promise<boolean> {
  return Boolean(person.termination_date) && hasEnded(person, await companyDay(tenant));
}

/** The current date in the company's time zone, as YYYY-MM-DD. */
export async function companyDay(tenant: Tenant, now = new Date()): Promise<string> {
  return dayIn(await companyTimeZone(tenant), now);
}

export async function companyTimeZone(tenant: Tenant): Promise<string> {
  const company = tenant.global.selectFrom('companies').select('time_zone').where('id', '=', tenant.company_id);
  return (await company.executeTakeFirstOrThrow()).time_zone;
}
