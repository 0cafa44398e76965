/** The state that the decisions of a bulk request are based on: initially as in the database, then as left by previous items. */
import type { Updateable } from 'kysely';
import type { Collaborators } from '../../../generated/db.ts';
import { t } from '../../contract/languages/text.ts';
import type { FieldErrors } from '../../contract/problem.ts';
import { type CompanyDirectory, readDirectories } from '../../identity/directories/company-directories.ts';
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type InstallationLimits, limitsOf } from '../access/installation-limits.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { lockManagers, managerErrors, managersAbove } from '../collaborators/fields/hierarchy.ts';
import { keyText, lockMatched, type MatchKey } from '../collaborators/fields/match.ts';
import {
  type Claim,
  holdersOf,
  releasedKeys,
  takenErrorOf,
  type UniqueValue,
  uniqueValuesOf,
} from '../collaborators/fields/moved-values.ts';
import { lookupOf, ownersOf, type UniqueLookup } from '../collaborators/fields/unique-fields.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import type { Status } from '../collaborators/status.ts';
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import type { Addition } from '../collaborators/write/write-many.ts';
import type { Item } from './bulk-items.ts';
import { readValueHolders } from './bulk-values.ts';

/** A person as left by an item. */
export type Written =
  | { outcome: 'created'; addition: Addition }
  | { outcome: 'updated'; before: CollaboratorRow; set: Updateable<Collaborators>; to: Status | undefined };

interface Company {
  people: ReadonlyMap<string, CollaboratorRow>;
  /** Ids of people by unique value. */
  holders: Map<string, string>;
  managers: ReadonlySet<string>;
  /** The managers of these and of all above them. */
  reportsTo: Map<string, string | null>;
  activeAdmins: Set<string>;
  /** Empty if no directory manages any of these people. */
  directories: readonly CompanyDirectory[];
  fields: CompanyFields;
  /** The caller: values hidden from them aren't compared. */
  viewer: Omit<Viewer, 'tenant'>;
  limits: InstallationLimits | undefined;
}

/** The company while its items are decided. */
export interface Progress extends Company {
  /** Keys of processed items, and ids of their people. */
  seenKeys: Set<string>;
  claims: Claim[];
  /** People whose item gives a value up, by its key. */
  releasers: Map<string, string>;
  /** Indexes of items, even failed ones and from earlier tries, that want to give a value up, with their person, by its key. */
  offered: Map<string, { id: string; index: number }>;
  /** Whether a person whose item comes later may give up a value. */
  mayRelease(holder: string, value: UniqueValue): boolean;
}

/** Locks everyone the items are about. */
export async function readCompany(
  tx: TenantTransaction,
  items: readonly Item[],
  keys: readonly (MatchKey | undefined)[],
  viewer: Omit<Viewer, 'tenant'> & { caller: Actor },
  fields: CompanyFields,
): Promise<Company> {
  const activeAdmins = new Set(await lockAdmins(tx));
  const lookupKeys = keys.filter((key) => key !== undefined);
  const named = lookupOf(items.map((item) => item.named));
  const { people, owners } = await lockPeople(tx, lookupKeys, named);
  const managers = await lockManagers(tx, [...new Set(items.flatMap(({ manager_id: managerId }) => managerId ?? []))]);
  return {
    people,
    holders: holdersOf(owners, await readValueHolders(tx, fields, viewer, items)),
    managers,
    reportsTo: people.size > 0 ? await managersAbove(tx, [...managers]) : new Map(),
    activeAdmins,
    directories: people.values().some(({ managed_by: managed }) => managed) ? await readDirectories(tx) : [],
    fields,
    viewer,
    limits: viewer.member.isInstallation ? await limitsOf(tx, viewer.caller.user_id) : undefined,
  };
}

/** Locks again if further people match meanwhile. */
async function lockPeople(tx: TenantTransaction, lookupKeys: readonly MatchKey[], named: UniqueLookup) {
  for (let tries = 1; ; tries++) {
    const people = await lockMatched(tx, lookupKeys);
    const owners = await ownersOf(tx, named);
    const ids = lookupKeys.flatMap(({ field, value }) => (field === 'id' ? [] : (owners[field].get(value) ?? [])));
    if (tries === 3 || ids.every((id) => people.has(id))) return { people, owners };
  }
}

/** The person a key identifies, as left by previous items. */
export function identified({ holders }: Pick<Company, 'holders'>, key: MatchKey): string | undefined {
  return key.field === 'id' ? key.value : holders.get(keyText(key));
}

/** A copy for another try: people whose item comes later give up everything, except the kept values. */
export function startOf(
  company: Company,
  itemPeople: ReadonlySet<string>,
  kept: ReadonlySet<string>,
  offered: Progress['offered'],
): Progress {
  return {
    ...company,
    holders: new Map(company.holders),
    reportsTo: new Map(company.reportsTo),
    activeAdmins: new Set(company.activeAdmins),
    seenKeys: new Set(),
    claims: [],
    releasers: new Map(),
    offered,
    mayRelease: (holder, { key }) => itemPeople.has(holder) && !kept.has(key),
  };
}

/**
 * Errors of values that someone else has, as far as is known: `own` if nobody gives the value up, `dependent` if the item that does
 * fails. An item with an error of its own may be the reason for that, so it gets no dependent ones.
 */
export function takenErrors(company: Progress, values: object, id?: string): Record<'own' | 'dependent', FieldErrors> {
  const { fields, holders, seenKeys, offered, mayRelease } = company;
  const taken = uniqueValuesOf(fields, values).filter((value) => {
    const holder = holders.get(value.key);
    return holder !== undefined && holder !== id && (seenKeys.has(holder) || !mayRelease(holder, value));
  });
  const errors = { own: {} as FieldErrors, dependent: {} as FieldErrors };
  for (const { path, key } of taken) {
    const offer = offered.get(key);
    if (offer === undefined || offer.id !== holders.get(key)) errors.own[path] = [takenErrorOf(path)];
    else errors.dependent[path] = [{ code: 'taken', message: keptMessage(offer.index) }];
  }
  return errors;
}

const keptMessage = (index: number) => t`The item at index ${index}, which gives this value up, has an error.`;

/** @param initial the holders before the first item */
export function apply(company: Progress, written: Written, initial: ReadonlyMap<string, string>): void {
  const { fields, holders, claims, releasers } = company;
  const isNew = written.outcome === 'created';
  const [id, set] = isNew ? [written.addition.id, written.addition] : [written.before.id, written.set];
  for (const key of isNew ? [] : releasedKeys(fields, written.before, set)) {
    if (holders.get(key) === id) holders.delete(key);
    releasers.set(key, id);
  }
  for (const { path, key } of uniqueValuesOf(fields, set)) {
    holders.set(key, id);
    if ((initial.get(key) ?? id) !== id) claims.push({ path, key, by: id });
  }
  if (!isNew) applyChange(company, written);
}

function applyChange(
  { reportsTo, activeAdmins }: Company,
  { before, set, to }: Written & { outcome: 'updated' },
): void {
  if (set.manager_id !== undefined) reportsTo.set(before.id, set.manager_id?.toLowerCase() ?? null);
  if (to === 'inactive') activeAdmins.delete(before.id);
  if (to === 'active' && before.role === 'admin' && before.user_id) activeAdmins.add(before.id);
}

export function managerError({ managers, reportsTo }: Company, id: string, managerId: string | undefined) {
  if (managerId === id) return managerErrors.self;
  if (!managerId || !managers.has(managerId)) return managerErrors.outOfReach;
  let above: string | null | undefined = managerId;
  for (let steps = 0; above && steps <= reportsTo.size; steps++) {
    if (above === id) return managerErrors.cycle;
    above = reportsTo.get(above);
  }
  return undefined;
}
