/**
 * Decides the outcome of each item, on top of the valid ones before it, like single requests in that order; only unique values may
 * also come from a later item. Writes nothing.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import {
  type FieldError,
  type FieldErrors,
  maxErrors,
  notFound,
  type Problem,
  validationError,
} from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { hiddenFields } from '../access/hidden-fields.ts';
import { beyondLimits, limitViolation } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { dateErrors } from '../collaborators/fields/employment-dates.ts';
import { managerErrors } from '../collaborators/fields/hierarchy.ts';
import { managedConflict } from '../collaborators/fields/managed-fields.ts';
import { keyText, type MatchField, type MatchKey } from '../collaborators/fields/match.ts';
import { brokenClaims, releasedKeys, uniqueValuesOf } from '../collaborators/fields/moved-values.ts';
import { lastAdmin } from '../collaborators/membership/admins.ts';
import { withoutNotCompared, withoutUnchanged } from '../collaborators/responses/unchanged-values.ts';
import { invalidTransition, settableStatuses } from '../collaborators/status.ts';
import type { NewCollaborator } from '../collaborators/write/add-collaborator.ts';
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import { type CollaboratorUpdate, changedNames, differences } from '../collaborators/write/differences.ts';
import { checkValues } from '../custom-fields/write-values.ts';
import { type Item, matchFieldOf } from './bulk-items.ts';
import {
  apply,
  identified,
  managerError,
  type Progress,
  readCompany,
  startOf,
  takenErrors,
  type Written,
} from './bulk-state.ts';
import { valuesOf } from './bulk-values.ts';

type BulkRequest = components['schemas']['BulkRequest'];

/** Items between pauses for other requests: an item with many errors takes as long as a small request. */
export const itemsAtOnce = 100;

export type Decision =
  | { outcome: 'failed'; id: string | null; problem: Problem }
  | { outcome: 'unchanged'; before: CollaboratorRow }
  | Written;

/** More are only needed if errors depend on each other in several ways. The last one takes no values of later items. */
const maxTries = 5;

/** Locks everyone the items are about, after `lockHierarchy`, and decides each item. */
export async function decideAll(
  tx: TenantTransaction,
  { mode, match_by: matchBy }: Pick<BulkRequest, 'mode' | 'match_by'>,
  items: readonly Item[],
  viewer: Omit<Viewer, 'tenant'> & { caller: Actor },
  companyFields: CompanyFields,
): Promise<readonly Decision[]> {
  const fields = items.map((item) => (mode === 'create' ? 'email' : matchFieldOf(item, matchBy)));
  const keys = items.map((item, at) => keyOf(item, fields[at]));
  const company = await readCompany(tx, items, mode === 'create' ? [] : keys, viewer, companyFields);
  const itemPeople = new Set(mode === 'create' ? [] : keys.flatMap((key) => (key && identified(company, key)) ?? []));
  const kept = new Set<string>();
  const offered: Progress['offered'] = new Map();
  for (let tries = 1; ; tries++) {
    const progress = startOf(company, tries < maxTries ? itemPeople : new Set(), kept, offered);
    const decisions: Decision[] = [];
    for (const [at, item] of items.entries()) {
      if (at % itemsAtOnce === itemsAtOnce - 1) await pause();
      const decision = decide(progress, mode, item, at, fields[at], keys[at]);
      if (decision.outcome === 'created' || decision.outcome === 'updated') apply(progress, decision, company.holders);
      decisions.push(decision);
    }
    const broken = brokenClaims(progress.claims, (key) => progress.releasers.get(key));
    if (broken.length === 0) return decisions;
    for (const { key } of broken) kept.add(key);
  }
}

/** @returns undefined if the item has no valid value for this field */
function keyOf({ named }: Item, field: MatchField | undefined): MatchKey | undefined {
  const value = field && named[field];
  return value === undefined ? undefined : { field: field!, value };
}

function decide(
  company: Progress,
  mode: BulkRequest['mode'],
  item: Item,
  index: number,
  field: MatchField | undefined,
  key: MatchKey | undefined,
): Decision {
  const errors: FieldErrors = { ...item.errors };
  const missing = field ?? (mode === 'update' ? 'id' : 'email');
  if ((item.fields[missing] ?? undefined) === undefined) errors[missing] ??= [required];
  const id = key && identified(company, key);
  const before = mode === 'create' ? undefined : company.people.get(id ?? '');
  const names = [...(key ? [keyText(key)] : []), ...(before ? [before.id] : [])];
  if (names.some((name) => company.seenKeys.has(name))) errors[field!] = [namedTwice];
  for (const name of names) company.seenKeys.add(name);

  const isMissing = key && !before && (mode === 'update' || key.field === 'id');
  // An invalid id matches no one.
  const matchesNone = field === 'id' && typeof item.fields.id === 'string' && !errors.id && !before;
  if (isMissing || matchesNone) return { outcome: 'failed', id: null, problem: notFound() };
  if (mode === 'create' || (key && !before)) return decideNew(company, item, errors);
  return decideChange(company, item, index, errors, before);
}

function decideNew(company: Progress, { fields, manager_id: managerId }: Item, found: FieldErrors): Decision {
  const errors = { ...found, ...checkCreate(fields) };
  const validFields = without(fields, errors);
  const custom = errors.custom_fields ? undefined : checkValues(company.fields, company.viewer, valuesOf({ fields }));
  const taken = takenErrors(company, { ...validFields, custom_fields: custom?.values });
  Object.assign(errors, { ...taken.own, ...dateErrors(undefined, validFields), ...errors, ...custom?.errors });
  if (typeof fields.manager_id === 'string' && (!managerId || !company.managers.has(managerId))) {
    errors.manager_id ??= [managerErrors.unknown];
  }
  const failure = [errors, taken.dependent].find((each) => Object.keys(each).length > 0);
  if (failure) return { outcome: 'failed', id: null, problem: invalid(failure) };
  const addition = { ...(fields as unknown as NewCollaborator), custom_fields: custom?.values, id: newId() };
  return { outcome: 'created', addition };
}

/** @param before undefined if the item doesn't identify a person; then it is validated as far as possible */
function decideChange(
  company: Progress,
  item: Item,
  index: number,
  found: FieldErrors,
  before: CollaboratorRow | undefined,
): Decision {
  const { id, ...named } = item.fields;
  const sent = before ? withoutUnchanged(before, company.viewer.files.links, named) : { ...named };
  const errors = { ...found, ...checkUpdate(sent) };
  if (before && typeof id === 'string' && id.toLowerCase() !== before.id) errors.id ??= [otherPersonsId];
  if (!before) return { outcome: 'failed', id: null, problem: invalid(errors) };
  // The errors may be truncated, so it is unknown which fields are valid.
  if (Object.keys(errors).length >= maxErrors) return { outcome: 'failed', id: before.id, problem: invalid(errors) };

  const { status, ...profile } = withoutNotCompared(without(sent, errors)) as CollaboratorUpdate;
  const values = errors.custom_fields ? undefined : valuesOf({ fields: sent });
  const custom = values && checkValues(company.fields, company.viewer, values, before);
  const set = differences(
    before,
    { ...profile, custom_fields: custom?.values },
    hiddenFields(company.viewer, before.id),
  );
  const faulty = uniqueValuesOf(company.fields, before).filter(({ path }) => path in { ...errors, ...custom?.errors });
  const offered = [...releasedKeys(company.fields, before, set), ...faulty.map(({ key }) => key)];
  for (const key of offered) company.offered.set(key, { id: before.id, index });
  const taken = takenErrors(company, set, before.id);
  Object.assign(errors, {
    ...taken.own,
    ...dateErrors(before, set),
    ...errors,
    ...custom?.errors,
  });
  const manager = typeof set.manager_id === 'string' ? managerError(company, before.id, item.manager_id) : undefined;
  if (manager) errors.manager_id ??= [manager];
  const failed = (problem: Problem): Decision => ({ outcome: 'failed', id: before.id, problem });
  if (Object.keys(errors).length > 0) return failed(invalid(errors));

  const to = status === before.status ? undefined : status;
  const settable = settableStatuses(before);
  if (to && !settable.includes(to)) return failed(invalidTransition(before, to, settable));
  const limited = limitViolation(company.limits, before, { ...set, status: to } as Parameters<
    typeof limitViolation
  >[2]);
  if (limited) return failed(beyondLimits(limited));
  const changed = [...changedNames(before, set), ...(to && to !== 'inactive' ? ['status'] : [])];
  const managed = managedConflict(before, changed, company.directories);
  if (managed) return failed(managed);
  const { activeAdmins } = company;
  if (to === 'inactive' && activeAdmins.has(before.id) && activeAdmins.size === 1) return failed(lastAdmin());
  if (Object.keys(taken.dependent).length > 0) return failed(invalid(taken.dependent));
  if (!to && Object.keys(set).length === 0) return { outcome: 'unchanged', before };
  return { outcome: 'updated', before, set, to };
}

/** Limited so that a response can hold the errors of a thousand items. */
const maxErrorsOfItem = 20;

function invalid(errors: FieldErrors): Problem {
  return validationError(errors, maxErrorsOfItem);
}

const checkCreate = schemaCheck('CollaboratorCreate');
const checkUpdate = schemaCheck('CollaboratorUpdate');

const required: FieldError = { code: 'required', message: t`This field is required.` };
const otherPersonsId: FieldError = { code: 'field_not_allowed', message: t`This is the id of someone else.` };
const namedTwice: FieldError = { code: 'taken', message: t`An earlier item is about the same collaborator.` };

/** Fields without errors, which may still violate a database rule. */
function without(fields: Readonly<Record<string, unknown>>, errors: FieldErrors): Record<string, unknown> {
  const faulty = new Set(Object.keys(errors).map((path) => path.split('.')[0]));
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !faulty.has(field)));
}
