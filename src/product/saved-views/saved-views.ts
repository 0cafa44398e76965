/** Saved views: named filters of a list, private to their owner. Every statement filters by the owner. */
import { type Selectable, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { SavedViews } from '../../../generated/db.ts';
import { t } from '../../contract/languages/text.ts';
import { notFound, Problem, validationError } from '../../contract/problem.ts';
import { unknownName } from '../../contract/unknown-name.ts';
import type { Member } from '../../identity/members/member.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { beyondLimits } from '../access/installation-limits.ts';
import { isId } from '../access/records.ts';

type SavedView = components['schemas']['SavedView'];
type NewView = components['schemas']['SavedViewCreate'];
type ViewChange = components['schemas']['SavedViewUpdate'];

const viewColumns = [
  'id',
  'list',
  'name',
  'filters',
  'sort',
  'columns',
  'created_at',
  'updated_at',
] as const satisfies (keyof SavedViews)[];

export type SavedViewRow = Pick<Selectable<SavedViews>, (typeof viewColumns)[number]>;

/** Per person and company. */
const maxViews = 50;

/** @throws 403 for an installation, which is no person */
export async function savedViewsOf(tenant: Tenant, member: Member): Promise<SavedViewRow[]> {
  return tenant
    .selectFrom('saved_views')
    .select(viewColumns)
    .where('collaborator_id', '=', personOf(member))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(maxViews)
    .execute();
}

/** @throws 404, also for another person's view; 403 */
export async function findSavedView(tenant: Tenant, member: Member, id: string): Promise<SavedViewRow> {
  const owner = personOf(member);
  const row = isId(id)
    ? await tenant
        .selectFrom('saved_views')
        .select(viewColumns)
        .where('collaborator_id', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** @throws 400 for filters, an order, or columns that the list doesn't have; 409 at the person's limit; 403 */
export async function addSavedView(tenant: Tenant, member: Member, view: NewView): Promise<SavedViewRow> {
  const owner = personOf(member);
  const { list = 'collaborators', name, filters, sort, columns } = view;
  requireSupported(list, view);
  return tenant.transaction(async (tx) => {
    await requireRoom(tx, owner);
    return tx
      .insertInto('saved_views', {
        collaborator_id: owner,
        id: newId(),
        list,
        name,
        filters: JSON.stringify(filters),
        sort: sort || null,
        columns: columns ?? null,
      })
      .returning(viewColumns)
      .executeTakeFirstOrThrow();
  });
}

/** @throws 400 for filters, an order, or columns that the list doesn't have; 404 if it was deleted in the meantime */
export async function changeSavedView(
  tenant: Tenant,
  member: Member,
  before: SavedViewRow,
  { name, filters, sort, columns }: ViewChange,
): Promise<SavedViewRow> {
  requireSupported(before.list, { filters, sort, columns });
  const change = {
    ...(name !== undefined && { name }),
    ...(filters !== undefined && { filters: JSON.stringify(filters) }),
    ...(sort !== undefined && { sort: sort || null }),
    ...(columns !== undefined && { columns }),
  };
  if (Object.keys(change).length === 0) return before;
  const row = await tenant
    .updateTable('saved_views')
    .set({ ...change, updated_at: sql<string>`now()` })
    .where('collaborator_id', '=', personOf(member))
    .where('id', '=', before.id)
    .returning(viewColumns)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** @throws 404 if another request deleted it first */
export async function removeSavedView(tenant: Tenant, member: Member, id: string): Promise<void> {
  const { numDeletedRows } = await tenant
    .deleteFrom('saved_views')
    .where('collaborator_id', '=', personOf(member))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound();
}

export function savedView({ list, filters, ...row }: SavedViewRow): SavedView {
  return { ...row, list: list as SavedView['list'], filters: filters as SavedView['filters'] };
}

const filtersOf: Record<string, readonly string[]> = {
  collaborators: ['search', 'status', 'role', 'department', 'location', 'custom_fields'],
  audit: [
    'action',
    'actor_id',
    'actor_collaborator_id',
    'target_id',
    'changed_field',
    'outcome',
    'exclude',
    'since',
    'until',
  ],
} satisfies Record<SavedView['list'], readonly (keyof SavedView['filters'])[]>;

/** The contract allows the filters of every list. @throws 400 */
function requireSupported(list: string, { filters = {}, sort, columns }: ViewChange): void {
  const others = Object.keys(filters).filter((name) => !filtersOf[list]!.includes(name));
  const fields = others.map((name) => `filters.${name}`);
  if (list === 'audit') fields.push(...(sort ? ['sort'] : []), ...(columns ? ['columns'] : []));
  if (fields.length === 0) return;
  throw validationError(Object.fromEntries(fields.map((field) => [field, [unknownName(field, [])]])));
}

function personOf({ collaborator_id: id, isInstallation }: Member): string {
  if (isInstallation) throw beyondLimits(t`An installed app can't have saved views.`);
  return id;
}

/** Takes a lock, so that two concurrent requests can't both take the last place. */
async function requireRoom(tx: TenantTransaction, owner: string): Promise<void> {
  const name = `saved views ${tx.company_id} ${owner}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx.raw);
  if ((await countRows(tx.selectFrom('saved_views').where('collaborator_id', '=', owner))) < maxViews) return;
  throw new Problem(409, 'conflict', t`You can have ${maxViews} saved views. Delete one first.`);
}
