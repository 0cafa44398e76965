/**
 * Checks that the hierarchy after the import has no cycles. Rejecting a row may break a cycle or leave an old one, so both checks
 * repeat until nothing changes.
 */
import { setImmediate as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { managerFields } from './columns/import-fields.ts';
import type { MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf } from './people/row-fields.ts';

export interface Place {
  index: number;
  /** The id of an existing person, or `newcomer` for a new one. */
  node: string;
  isNew: boolean;
  /** Null for none; undefined for unchanged. */
  manager: string | null | undefined;
  /** The current manager's id. */
  before: string | null;
  failed: boolean;
  /** Index of the row that gives an unknown manager the address they are named by. */
  namedIn?: number;
}

/** Nodes between pauses: there may be a hundred thousand, and this thread also serves requests. */
const nodesAtOnce = 5_000;
const idsAQuery = 1_000;

export function placeOf({ index, before, manager, errors }: MatchedRow): Place {
  const node = before ? before.id : newcomer(index);
  const above = manager && ('id' in manager ? manager.id : newcomer(manager.index));
  const isNew = before === undefined;
  const namedIn = manager && 'index' in manager ? { namedIn: manager.index } : {};
  const failed = errors.length > 0;
  return { index, node, isNew, manager: above, before: before?.manager_id ?? null, failed, ...namedIn };
}

function newcomer(index: number): string {
  return `row ${index}`;
}

export function isMove({ isNew, manager, before }: Place): boolean {
  return !isNew && Boolean(manager) && manager !== before;
}

/**
 * @param above the current managers, from `managersAbove`
 * @returns the reason by row index: the `manager` is rejected, or the row closes a `cycle`
 */
export async function misplaced(
  places: readonly Place[],
  above: ReadonlyMap<string, string>,
): Promise<Map<number, 'manager' | 'cycle'>> {
  const found = new Map<number, 'manager' | 'cycle'>();
  const newcomers = new Map(places.filter(({ isNew }) => isNew).map((place) => [place.node, place]));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const place of await withoutManager(places, newcomers)) found.set(place.index, 'manager');
    for (const place of await inCircles(places, above)) found.set(place.index, 'cycle');
  }
  return found;
}

/** Rows whose new manager is rejected, transitively. */
async function withoutManager(places: readonly Place[], newcomers: ReadonlyMap<string, Place>): Promise<Place[]> {
  const reports = new Map<string, Place[]>();
  const lost: Place[] = [];
  const lose = (place: Place) => {
    if (place.failed) return;
    place.failed = true;
    lost.push(place);
  };
  for (const [at, place] of places.entries()) {
    if (at % nodesAtOnce === 0) await pause();
    const { manager } = place;
    if (typeof manager !== 'string' || !manager.startsWith('row ')) continue;
    if (newcomers.get(manager)?.failed ?? true) lose(place);
    const those = reports.get(manager) ?? [];
    reports.set(manager, those);
    those.push(place);
  }
  for (const place of lost) if (place.isNew) reports.get(place.node)?.forEach(lose); // grows during the iteration
  return lost;
}

async function inCircles(places: readonly Place[], above: ReadonlyMap<string, string>): Promise<Place[]> {
  const said = await saying(places);
  const next = managersBy(said, above);
  const walks = new Map<string, number>();
  const closing: Place[] = [];
  let walk = 0;
  for (const start of said.keys()) {
    if (++walk % nodesAtOnce === 0) await pause();
    let node: string | undefined = start;
    for (; node !== undefined && !walks.has(node); node = next(node)) walks.set(node, walk);
    if (node === undefined || walks.get(node) !== walk) continue;
    // Everyone from here around the cycle.
    let each = node;
    do {
      const place = said.get(each);
      if (place && place.manager !== place.before) closing.push(place);
      each = next(each)!;
    } while (each !== node);
  }
  for (const place of closing) place.failed = true;
  return closing;
}

/** The tree after all unmarked rows. @param above the current managers, from `managersAbove` */
export async function finalManagers(
  places: readonly Place[],
  above: ReadonlyMap<string, string>,
): Promise<(node: string) => string | undefined> {
  return managersBy(await saying(places), above);
}

function managersBy(said: ReadonlyMap<string, Place>, above: ReadonlyMap<string, string>) {
  return (node: string) => {
    const place = said.get(node);
    return place ? (place.manager ?? undefined) : above.get(node);
  };
}

/** The rows that name a manager, by node. */
async function saying(places: readonly Place[]): Promise<Map<string, Place>> {
  const said = new Map<string, Place>();
  for (const [at, place] of places.entries()) {
    if (at % nodesAtOnce === 0) await pause();
    if (!place.failed && place.manager !== undefined) said.set(place.node, place);
  }
  return said;
}

/** The managers above everyone named as a manager, if a cycle through them is possible. */
export async function managersAbove(tenant: Tenant, places: readonly Place[]): Promise<Map<string, string>> {
  const above = new Map<string, string>();
  if (!places.some(isMove)) return above;
  const managers = new Set(places.flatMap(({ manager }) => (manager && !manager.startsWith('row ') ? [manager] : [])));
  const ids = [...managers];
  const { company_id: companyId } = tenant;
  for (let at = 0; at < ids.length; at += idsAQuery) {
    const { rows } = await sql<{ id: string; manager_id: string }>`
      with recursive chain as (
        select id, manager_id from collaborators
        where company_id = ${companyId} and id = any(${ids.slice(at, at + idsAQuery)}::uuid[])
        union
        select up.id, up.manager_id from collaborators up join chain on up.id = chain.manager_id
        where up.company_id = ${companyId}
      )
      select id, manager_id from chain where manager_id is not null`.execute(tenant.raw);
    for (const { id, manager_id: managerId } of rows) above.set(id, managerId);
  }
  return above;
}

export function misplacedError(table: PeopleTable, index: number, why: 'manager' | 'cycle') {
  const row = table.rows[index]!;
  const field = managerFields.find((each) => table.places.has(each)) ?? 'manager_email';
  return why === 'cycle'
    ? errorOf(table, row, field, 'cycle', t`This person would report to themselves through others.`)
    : errorOf(table, row, field, 'not_found', t`The row of this manager has an error, so there is no such person.`);
}
