/** A company as its form has it, what of it is sent, and what others will notice of it. */
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import type { Company, CompanyChange } from '../../api/company.ts';

export interface CompanyFields {
  name: string;
  time_zone: string;
  /** Empty for the language of the service. */
  locale: string;
  require_second_factor: boolean;
  step_up: boolean;
  /** In seconds; empty for the periods of the service. */
  session_max_age: string;
  /** `null` for every scope. */
  allowed_scopes: string[] | null;
}

/** An hour to thirty days. */
export const session_ages_s = [3_600, 14_400, 28_800, 43_200, 86_400, 604_800, 2_592_000] as const;

export function fieldsOf({ name, time_zone, locale, policy }: Company): CompanyFields {
  return { name, time_zone, locale: locale ?? '', ...policy, session_max_age: String(policy.session_max_age ?? '') };
}

/** What differs between two states of the form, as the API takes it. */
export function changeOf(from: CompanyFields, to: CompanyFields): CompanyChange {
  const changed = (Object.keys(to) as (keyof CompanyFields)[]).filter(
    (name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]),
  );
  const sent: Record<keyof CompanyFields, unknown> = {
    ...to,
    name: oneLine(to.name),
    time_zone: to.time_zone.trim(),
    locale: to.locale || null,
    session_max_age: to.session_max_age === '' ? null : Number(to.session_max_age),
  };
  const of_company = changed.filter((name) => ['name', 'time_zone', 'locale'].includes(name));
  const of_policy = changed.filter((name) => !of_company.includes(name));
  const picked = (names: readonly (keyof CompanyFields)[]) =>
    Object.fromEntries(names.map((name) => [name, sent[name]]));
  return { ...picked(of_company), ...(of_policy.length > 0 && { policy: picked(of_policy) }) };
}

export type Consequence =
  | 'time_zone'
  | 'factor-on'
  | 'factor-off'
  | 'step-up-on'
  | 'step-up-off'
  | 'age-shorter'
  | 'age-longer'
  | 'scopes-fewer'
  | 'scopes-more';

export function consequencesOf(from: CompanyFields, { time_zone, policy = {} }: CompanyChange): Consequence[] {
  const { require_second_factor, step_up, session_max_age, allowed_scopes } = policy;
  const found: Consequence[] = [];
  if (time_zone !== undefined) found.push('time_zone');
  if (require_second_factor !== undefined) found.push(require_second_factor ? 'factor-on' : 'factor-off');
  if (step_up !== undefined) found.push(step_up ? 'step-up-on' : 'step-up-off');
  if (session_max_age !== undefined) {
    const before = from.session_max_age === '' ? Number.POSITIVE_INFINITY : Number(from.session_max_age);
    found.push((session_max_age ?? Number.POSITIVE_INFINITY) < before ? 'age-shorter' : 'age-longer');
  }
  if (allowed_scopes !== undefined) {
    const before = from.allowed_scopes;
    const loses = allowed_scopes !== null && (before === null || before.some((each) => !allowed_scopes.includes(each)));
    found.push(loses ? 'scopes-fewer' : 'scopes-more');
  }
  return found;
}
