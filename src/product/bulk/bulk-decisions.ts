/** Decides the outcome of each item, on top of the valid ones before it, like single requests in that order. Writes nothing. */
import { setImmediate as pause } from 'node:timers/promises';
import type { Updateable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Collaborators } from '../../../generated/db.ts';
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
import { type CompanyDirectory, readDirectories } from '../../identity/directories/company-directories.ts';
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { hiddenFields } from '../access/hidden-fields.ts';
import { beyondLimits, type InstallationLimits, limitsOf, limitViolation } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { dateErrors } from '../collaborators/fields/employment-dates.ts';
import { lockManagers, managerErrors, managersAbove } from '../collaborators/fields/hierarchy.ts';
import { managedConflict } from '../collaborators/fields/managed-fields.ts';
import { keyText, lockMatched, type MatchField, type MatchKey } from '../collaborators/fields/match.ts';
import {
  addOwner,
  lookupOf,
  normalizedValue,
  type Owners,
  ownersOf,
  takenFieldErrors,
  type UniqueLookup,
  uniqueFields,
} from '../collaborators/fields/unique-fields.ts';
import { lastAdmin, lockAdmins } from '../collaborators/membership/admins.ts';
import { withoutNotCompared, withoutUnchanged } from '../collaborators/responses/unchanged-values.ts';
import { invalidTransition, type Status, settableStatuses } from '../collaborators/status.ts';
import type { NewCollaborator } from '../collaborators/write/add-collaborator.ts';
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import { type CollaboratorUpdate, changedNames, differences } from '../collaborators/write/differences.ts';
import type { Addition } from '../collaborators/write/write-many.ts';
import { takenValues, uniqueForms } from '../custom-fields/unique-values.ts';
import { checkValues } from '../custom-fields/write-values.ts';
import { type Item, matchFieldOf } from './bulk-items.ts';
import { readValueHolders, takenValueErrors, type UniqueValues, updateValueHolders, valuesOf } from './bulk-values.ts';

type BulkRequest = components['schemas']['BulkRequest'];

/** Items between pauses for other requests: an item with many errors takes as long as a small request. */
export const itemsAtOnce = 100;

export type Decision =
  | { outcome: 'failed'; id: string | null; problem: Problem }
  | { outcome: 'created'; addition: Addition }
  | { outcome: 'unchanged'; before: CollaboratorRow }
  | {
      outcome: 'updated';
      before: CollaboratorRow;
      set: Updateable<Collaborators>;
      to: Status | undefined;
    };

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
  const company = {
    ...(await readCompany(tx, items, mode === 'create' ? [] : keys)),
    values: await readValueHolders(tx, companyFields, viewer, items),
    fields: companyFields,
    viewer,
    limits: await limitsOfViewer(tx, viewer),
  };
  const decisions: Decision[] = [];
  for (const [at, item] of items.entries()) {
    if (at % itemsAtOnce === itemsAtOnce - 1) await pause();
    const decision = decide(company, mode, item, fields[at], keys[at]);
    if (decision.outcome === 'created') {
      addOwner(company.owners, decision.addition.id, decision.addition);
      updateValueHolders(company, decision.addition.id, undefined, decision.addition.custom_fields);
    }
    if (decision.outcome === 'updated') applyDecision(company, decision);
    decisions.push(decision);
  }
  return decisions;
}

/** @returns undefined if the item has no valid value for this field */
function keyOf({ named }: Item, field: MatchField | undefined): MatchKey | undefined {
  const value = field && named[field];
  return value === undefined ? undefined : { field: field!, value };
}

/** The state that decisions are based on: initially as in the database, then as left by previous items. */
interface Company extends UniqueValues {
  people: ReadonlyMap<string, CollaboratorRow>;
  owners: Owners;
  managers: ReadonlySet<string>;
  /** The managers of these and of all above them. */
  reportsTo: Map<string, string | null>;
  activeAdmins: Set<string>;
  /** Keys of processed items, and ids of their people. */
  seenKeys: Set<string>;
  /** Empty if no directory manages any of these people. */
  directories: readonly CompanyDirectory[];
  /** The caller: values hidden from them aren't compared. */
  viewer: Omit<Viewer, 'tenant'>;
  limits: InstallationLimits | undefined;
}

async function readCompany(
  tx: TenantTransaction,
  items: readonly Item[],
  keys: readonly (MatchKey | undefined)[],
): Promise<Omit<Company, 'viewer' | 'limits' | 'values' | 'fields'>> {
  const activeAdmins = new Set(await lockAdmins(tx));
  const lookupKeys = keys.filter((key) => key !== undefined);
  const named = lookupOf(items.map((item) => item.named));
  const { people, owners } = await lockPeople(tx, lookupKeys, named);
  const managers = await lockManagers(tx, [...new Set(items.flatMap(({ manager_id: managerId }) => managerId ?? []))]);
  return {
    people,
    owners,
    managers,
    reportsTo: people.size > 0 ? await managersAbove(tx, [...managers]) : new Map(),
    activeAdmins,
    seenKeys: new Set(),
    directories: people.values().some(({ managed_by: managed }) => managed) ? await readDirectories(tx) : [],
  };
}

function limitsOfViewer(tx: TenantTransaction, { caller, member }: { caller: Actor; member: Viewer['member'] }) {
  return member.isInstallation ? limitsOf(tx, caller.user_id) : undefined;
}

/** Locks again if further people match meanwhile. */
async function lockPeople(tx: TenantTransaction, lookupKeys: readonly MatchKey[], named: UniqueLookup) {
  for (let tries = 1; ; tries++) {
    const people = await lockMatched(tx, lookupKeys);
    const owners = await ownersOf(tx, named);
    const ids = lookupKeys.flatMap((key) => ownerOf(owners, key) ?? []);
    if (tries === 3 || ids.every((id) => people.has(id))) return { people, owners };
  }
}

/** As left by previous items. An id identifies its own person only. */
function ownerOf(owners: Owners, { field, value }: MatchKey): string | undefined {
  return field === 'id' ? undefined : owners[field].get(value);
}

function decide(
  company: Company,
  mode: BulkRequest['mode'],
  item: Item,
  field: MatchField | undefined,
  key: MatchKey | undefined,
): Decision {
  const errors: FieldErrors = { ...item.errors };
  const missing = field ?? (mode === 'update' ? 'id' : 'email');
  if ((item.fields[missing] ?? undefined) === undefined) errors[missing] ??= [required];
  const id = key?.field === 'id' ? key.value : key && ownerOf(company.owners, key);
  const before = mode === 'create' ? undefined : company.people.get(id ?? '');
  const names = [...(key ? [keyText(key)] : []), ...(before ? [before.id] : [])];
  if (names.some((name) => company.seenKeys.has(name))) errors[field!] = [namedTwice];
  for (const name of names) company.seenKeys.add(name);

  const isMissing = key && !before && (mode === 'update' || key.field === 'id');
  // An invalid id matches no one.
  const matchesNone = field === 'id' && typeof item.fields.id === 'string' && !errors.id && !before;
  if (isMissing || matchesNone) return { outcome: 'failed', id: null, problem: notFound() };
  if (mode === 'create' || (key && !before)) return decideNew(company, item, errors);
  return decideChange(company, item, errors, before);
}

function decideNew(company: Company, { fields, manager_id: managerId }: Item, found: FieldErrors): Decision {
  const { owners, managers } = company;
  const errors = { ...found, ...checkCreate(fields) };
  const validFields = without(fields, errors);
  const custom = errors.custom_fields ? undefined : checkValues(company.fields, company.viewer, valuesOf({ fields }));
  if (custom) {
    const forms = uniqueForms(company.fields, custom.values);
    Object.assign(errors, takenValues(company.values, forms), custom.errors);
  }
  Object.assign(errors, { ...takenFieldErrors(owners, validFields), ...dateErrors(undefined, validFields), ...errors });
  if (typeof fields.manager_id === 'string' && (!managerId || !managers.has(managerId))) {
    errors.manager_id ??= [managerErrors.unknown];
  }
  if (Object.keys(errors).length > 0) return { outcome: 'failed', id: null, problem: invalid(errors) };
  const addition = { ...(fields as unknown as NewCollaborator), custom_fields: custom?.values, id: newId() };
  return { outcome: 'created', addition };
}

/** @param before undefined if the item doesn't identify a person; then it is validated as far as possible */
function decideChange(company: Company, item: Item, found: FieldErrors, before: CollaboratorRow | undefined): Decision {
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
  if (custom) Object.assign(errors, takenValueErrors(company, before, set), custom.errors);
  Object.assign(errors, { ...takenFieldErrors(company.owners, set, before.id), ...dateErrors(before, set), ...errors });
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
  if (!to && Object.keys(set).length === 0) return { outcome: 'unchanged', before };
  return { outcome: 'updated', before, set, to };
}

function managerError({ managers, reportsTo }: Company, id: string, managerId: string | undefined) {
  if (managerId === id) return managerErrors.self;
  if (!managerId || !managers.has(managerId)) return managerErrors.outOfReach;
  let above: string | null | undefined = managerId;
  for (let steps = 0; above && steps <= reportsTo.size; steps++) {
    if (above === id) return managerErrors.cycle;
    above = reportsTo.get(above);
  }
  return undefined;
}

function applyDecision(company: Company, { before, set, to }: Decision & { outcome: 'updated' }): void {
  const { owners, reportsTo, activeAdmins } = company;
  for (const field of uniqueFields) {
    const currentForm = set[field] === undefined ? undefined : normalizedValue(before, field);
    if (currentForm !== undefined && owners[field].get(currentForm) === before.id) owners[field].delete(currentForm);
  }
  addOwner(owners, before.id, set);
  if (set.custom_fields !== undefined)
    updateValueHolders(
      company,
      before.id,
      before.custom_fields,
      JSON.parse((set.custom_fields as string | null) ?? 'null'),
    );
  if (set.manager_id !== undefined) reportsTo.set(before.id, set.manager_id?.toLowerCase() ?? null);
  if (to === 'inactive') activeAdmins.delete(before.id);
  if (to === 'active' && before.role === 'admin' && before.user_id) activeAdmins.add(before.id);
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
