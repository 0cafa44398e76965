/**
 * What happens to each item of a bulk request. Items are evaluated in their order, each on top of the valid ones before
 * it: the result is that of single requests in that order, but nothing is written yet.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { Updateable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { Collaborators } from '../../../generated/db.ts';
import {
  type FieldError,
  type FieldErrors,
  most_faults,
  notFound,
  type Problem,
  validationError,
} from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import type { CollaboratorRow } from '../access/records.ts';
import type { NewCollaborator } from '../collaborators/add-collaborator.ts';
import { lastAdmin, lockAdmins } from '../collaborators/admins.ts';
import { lockCollaborators } from '../collaborators/change-collaborator.ts';
import { type CollaboratorUpdate, differences } from '../collaborators/differences.ts';
import { holdersOf, lockHolders, takenEmail } from '../collaborators/email.ts';
import { keepManagers, managerFaults, managersAbove } from '../collaborators/hierarchy.ts';
import { allowedTransitions, invalidTransition, type Status } from '../collaborators/status.ts';
import type { Addition } from '../collaborators/write-many.ts';
import type { Item } from './bulk-items.ts';

type BulkMode = components['schemas']['BulkRequest']['mode'];

/** Other requests have their turn in between: an item with many faults takes as long as a small request. */
export const items_at_once = 100;

export type Decision =
  | { outcome: 'failed'; id: string | null; problem: Problem }
  | { outcome: 'created'; addition: Addition }
  | { outcome: 'unchanged'; before: CollaboratorRow }
  | {
      outcome: 'updated';
      before: CollaboratorRow;
      /** Empty when it is the status alone that changes. */
      set: Updateable<Collaborators>;
      to: Status | undefined;
    };

/** Locks everyone the items are about, behind `lockHierarchy`, and decides about each item. */
export async function decideAll(
  tx: TenantTransaction,
  mode: BulkMode,
  items: readonly Item[],
): Promise<readonly Decision[]> {
  const company = await readCompany(tx, mode, items);
  const decisions: Decision[] = [];
  for (const item of items) {
    if (decisions.length % items_at_once === items_at_once - 1) await pause();
    const decision = decide(company, mode, item);
    if (decision.outcome === 'created')
      company.holders.set(decision.addition.email.toLowerCase(), decision.addition.id);
    if (decision.outcome === 'updated') follow(company, decision);
    decisions.push(decision);
  }
  return decisions;
}

/** What the decisions rest on: as it is in the database at first, and as the items before have left it. */
interface Company {
  /** Who is to be changed: by id with the mode `update`, by address with `upsert`. */
  people: ReadonlyMap<string, CollaboratorRow>;
  /** Who has an address, of those that items name. */
  holders: Map<string, string>;
  /** Of those that items name as managers, who exists. */
  managers: ReadonlySet<string>;
  /** Whom these, and all above them, report to. */
  reports_to: Map<string, string | null>;
  active_admins: Set<string>;
  /** Ids and addresses of items that were gone through. */
  seen: Set<string>;
}

async function readCompany(tx: TenantTransaction, mode: BulkMode, items: readonly Item[]): Promise<Company> {
  const named = (field: 'id' | 'email' | 'manager_id') => [...new Set(items.flatMap((item) => item[field] ?? []))];
  const active_admins = new Set(await lockAdmins(tx));
  const people =
    mode === 'update'
      ? await lockCollaborators(tx, named('id'))
      : mode === 'upsert'
        ? await lockHolders(tx, named('email'))
        : new Map<string, CollaboratorRow>();
  const managers = await keepManagers(tx, named('manager_id'));
  return {
    people,
    holders: await holdersOf(tx, named('email')),
    managers,
    reports_to: people.size > 0 ? await managersAbove(tx, [...managers]) : new Map(),
    active_admins,
    seen: new Set(),
  };
}

function decide(company: Company, mode: BulkMode, item: Item): Decision {
  const key = mode === 'update' ? 'id' : 'email';
  const name = item[key];
  const before = name === undefined ? undefined : company.people.get(name);
  const faults: FieldErrors = { ...item.faults };
  if (mode === 'update' && typeof item.fields.id === 'string' && !faults.id && !before) {
    return { outcome: 'failed', id: null, problem: notFound() };
  }
  if (item.fields[key] === undefined) faults[key] = [required];
  else if (name !== undefined && company.seen.has(name)) faults[key] = [named_twice];
  if (name !== undefined) company.seen.add(name);

  if (mode === 'create' || (name !== undefined && !before)) return decideNew(company, item, faults);
  return decideChange(company, mode, item, faults, before);
}

function decideNew({ holders, managers }: Company, { fields, email, manager_id }: Item, found: FieldErrors): Decision {
  const faults = { ...found, ...checkCreate(fields) };
  if (email !== undefined && holders.has(email)) faults.email ??= [takenEmail];
  if (typeof fields.manager_id === 'string' && (!manager_id || !managers.has(manager_id))) {
    faults.manager_id ??= [managerFaults.unknown];
  }
  if (Object.keys(faults).length > 0) return { outcome: 'failed', id: null, problem: invalid(faults) };
  return { outcome: 'created', addition: { ...(fields as unknown as NewCollaborator), id: newId() } };
}

/** @param before undefined when the item does not say well enough whom it is about: then it is checked as far as can be */
function decideChange(
  company: Company,
  mode: BulkMode,
  item: Item,
  found: FieldErrors,
  before: CollaboratorRow | undefined,
): Decision {
  const { id: _, ...of_update } = item.fields;
  const sent = mode === 'update' ? of_update : item.fields;
  const faults = { ...found, ...checkUpdate(sent) };
  if (!before) return { outcome: 'failed', id: null, problem: invalid(faults) };
  // There may be more than these: then it is not known which fields are as they should be.
  if (Object.keys(faults).length >= most_faults) return { outcome: 'failed', id: before.id, problem: invalid(faults) };

  const { status, ...profile } = without(sent, faults) as CollaboratorUpdate;
  const set = differences(before, profile);
  const holder = typeof set.email === 'string' ? company.holders.get(set.email.toLowerCase()) : undefined;
  if (holder !== undefined && holder !== before.id) faults.email ??= [takenEmail];
  const manager = typeof set.manager_id === 'string' ? managerFault(company, before.id, item.manager_id) : undefined;
  if (manager) faults.manager_id ??= [manager];
  const failed = (problem: Problem): Decision => ({ outcome: 'failed', id: before.id, problem });
  if (Object.keys(faults).length > 0) return failed(invalid(faults));

  const to = status === before.status ? undefined : status;
  if (to && !allowedTransitions(before).includes(to)) return failed(invalidTransition(before, to));
  const { active_admins } = company;
  if (to === 'inactive' && active_admins.has(before.id) && active_admins.size === 1) return failed(lastAdmin());
  if (!to && Object.keys(set).length === 0) return { outcome: 'unchanged', before };
  return { outcome: 'updated', before, set, to };
}

function managerFault({ managers, reports_to }: Company, id: string, manager_id: string | undefined) {
  if (manager_id === id) return managerFaults.self;
  if (!manager_id || !managers.has(manager_id)) return managerFaults.out_of_reach;
  let above: string | null | undefined = manager_id;
  for (let steps = 0; above && steps <= reports_to.size; steps++) {
    if (above === id) return managerFaults.cycle;
    above = reports_to.get(above);
  }
  return undefined;
}

/** What an item changes, for those behind it. */
function follow(company: Company, { before, set, to }: Decision & { outcome: 'updated' }): void {
  const { holders, reports_to, active_admins } = company;
  if (typeof set.email === 'string') {
    if (holders.get(before.email.toLowerCase()) === before.id) holders.delete(before.email.toLowerCase());
    holders.set(set.email.toLowerCase(), before.id);
  }
  if (set.manager_id !== undefined) reports_to.set(before.id, set.manager_id?.toLowerCase() ?? null);
  if (to === 'inactive') active_admins.delete(before.id);
  if (to === 'active' && before.role === 'admin' && before.user_id) active_admins.add(before.id);
}

/** An answer has room for those of a thousand items. */
const most_faults_of_item = 20;

function invalid(faults: FieldErrors): Problem {
  return validationError(faults, most_faults_of_item);
}

const checkCreate = schemaCheck('CollaboratorCreate');
const checkUpdate = schemaCheck('CollaboratorUpdate');

const required: FieldError = { code: 'required', message: 'This field is required.' };
const named_twice: FieldError = { code: 'taken', message: 'An earlier item is about the same collaborator.' };

/** The fields that have no fault themselves: they may still break a rule of the database. */
function without(fields: Readonly<Record<string, unknown>>, faults: FieldErrors): Record<string, unknown> {
  const faulty = new Set(Object.keys(faults).map((path) => path.split('.')[0]));
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !faulty.has(field)));
}
