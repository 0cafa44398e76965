/** Form state of a company, the request made from it, and the effects on users. */
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import type { Company, CompanyChange } from '../../api/company.ts';

export interface CompanyFields {
  name: string;
  time_zone: string;
  /** Empty for the service's default. */
  locale: string;
  require_second_factor: boolean;
  step_up: boolean;
  /** In seconds; empty for the service's default. */
  session_max_age: string;
  /** `null` for every scope. */
  allowed_scopes: string[] | null;
  assistants: string;
  directory_visibility: string;
}

/** Access levels of assistants, lowest first. */
export const assistantRights = ['none', 'read', 'write'] as const;

/** Visibility levels of the people directory, lowest first. */
export const directoryVisibilities = ['none', 'basic'] as const;

/** An hour to thirty days. */
export const sessionAgesS = [3_600, 14_400, 28_800, 43_200, 86_400, 604_800, 2_592_000] as const;

export function fieldsOf({ name, time_zone: timeZone, locale, policy }: Company): CompanyFields {
  return {
    name,
    time_zone: timeZone,
    locale: locale ?? '',
    ...policy,
    session_max_age: String(policy.session_max_age ?? ''),
  };
}

/** Request body: fields that differ between two form states. */
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
  const ofCompany = changed.filter((name) => ['name', 'time_zone', 'locale'].includes(name));
  const ofPolicy = changed.filter((name) => !ofCompany.includes(name));
  const pickChanged = (names: readonly (keyof CompanyFields)[]) =>
    Object.fromEntries(names.map((name) => [name, sent[name]]));
  return { ...pickChanged(ofCompany), ...(ofPolicy.length > 0 && { policy: pickChanged(ofPolicy) }) };
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
  | 'assistants-less'
  | 'assistants-more'
  | 'directory-on'
  | 'directory-off'
  | 'scopes-more';

export function consequencesOf(
  from: CompanyFields,
  { time_zone: timeZone, policy = {} }: CompanyChange,
): Consequence[] {
  const {
    require_second_factor: requireSecondFactor,
    step_up: stepUp,
    session_max_age: sessionMaxAge,
    allowed_scopes: allowedScopes,
    assistants,
    directory_visibility: directoryVisibility,
  } = policy;
  const consequences: Consequence[] = [];
  if (timeZone !== undefined) consequences.push('time_zone');
  if (requireSecondFactor !== undefined) consequences.push(requireSecondFactor ? 'factor-on' : 'factor-off');
  if (stepUp !== undefined) consequences.push(stepUp ? 'step-up-on' : 'step-up-off');
  if (sessionMaxAge !== undefined) {
    const before = from.session_max_age === '' ? Number.POSITIVE_INFINITY : Number(from.session_max_age);
    consequences.push((sessionMaxAge ?? Number.POSITIVE_INFINITY) < before ? 'age-shorter' : 'age-longer');
  }
  if (allowedScopes !== undefined) {
    const before = from.allowed_scopes;
    const losesScopes =
      allowedScopes !== null && (before === null || before.some((each) => !allowedScopes.includes(each)));
    consequences.push(losesScopes ? 'scopes-fewer' : 'scopes-more');
  }
  if (assistants !== undefined) {
    const rights: readonly string[] = assistantRights;
    const isLess = rights.indexOf(assistants) < rights.indexOf(from.assistants);
    consequences.push(isLess ? 'assistants-less' : 'assistants-more');
  }
  if (directoryVisibility !== undefined)
    consequences.push(directoryVisibility === 'none' ? 'directory-off' : 'directory-on');
  return consequences;
}
