/** The first and the last day of employment, and which day it is for a company. */
import { say } from '../../../contract/languages/text.ts';
import type { FieldError, FieldErrors } from '../../../contract/problem.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { dayIn } from '../../../platform/values/time-zones.ts';

/** As YYYY-MM-DD; null for none, and in a change undefined for what stays. */
interface EmploymentDates {
  hire_date?: unknown;
  termination_date?: unknown;
}

const tooEarly: FieldError = { code: 'out_of_range', message: say`The last day must not be before the first one.` };

/**
 * Nobody leaves before they come.
 * @param before of who is changed; undefined for who is added
 * @param given what is to be changed
 * @returns the fault at the field that is given, and at the last day when both are
 */
export function dateFaults(before: EmploymentDates | undefined, given: EmploymentDates): FieldErrors {
  const { hire_date: hireDate = before?.hire_date, termination_date: terminationDate = before?.termination_date } =
    given;
  if (typeof hireDate !== 'string' || typeof terminationDate !== 'string') return {};
  if (terminationDate >= hireDate) return {};
  return { [given.termination_date === undefined ? 'hire_date' : 'termination_date']: [tooEarly] };
}

interface Leaver {
  termination_date?: string | null | undefined;
}

/** @param today in the company; undefined where no last day matters */
export function isOver({ termination_date: terminationDate }: Leaver, today: string | undefined): boolean {
  return Boolean(terminationDate && today && terminationDate < today);
}

/** Whether the last day of employment has passed, in the time zone of the company. */
export async function hasLeft(tenant: Tenant, person: Leaver): Promise<boolean> {
  return Boolean(person.termination_date) && isOver(person, await companyDay(tenant));
}

/** Why a person is inactive whose last day has passed. */
export function reasonOfEnd(terminationDate: string): string {
  return `The last day of employment was ${terminationDate}.`;
}

/** Which day it is in the time zone of the company, as YYYY-MM-DD. */
export async function companyDay(tenant: Tenant, now = new Date()): Promise<string> {
  const { time_zone: timeZone } = await tenant.global
    .selectFrom('companies')
    .select('time_zone')
    .where('id', '=', tenant.company_id)
    .executeTakeFirstOrThrow();
  return dayIn(timeZone, now);
}
