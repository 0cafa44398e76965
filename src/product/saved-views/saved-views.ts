/** Saved views: named filters and columns of the people list, private to their owner. Every statement filters by the owner. */
import { type Selectable, sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { SavedViews } from '../../../generated/db.ts';
import { t } from '../../contract/languages/text.ts';
import { notFound, Problem } from '../../contract/problem.ts';
import type { Member } from '../../identity/members/member.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { newId } from '../../platform/values/ids.ts';
import { beyondLimits } from '../access/installation-limits.ts';
import { isId } from '../access/records.ts';

type SavedView = components['schemas']['SavedView'];
type NewView = components['schemas']['SavedViewCreate'];
type ViewChange = components['schemas']['SavedViewUpdate'];

const read = [
  'id',
  'name',
  'filters',
  'sort',
  'columns',
  'created_at',
  'updated_at',
] as const satisfies (keyof SavedViews)[];

export type SavedViewRow = Pick<Selectable<SavedViews>, (typeof read)[number]>;

/** Per person and company. */
const maxViews = 50;

/** @throws 403 for an installation, which is no person */
export async function savedViewsOf(tenant: Tenant, member: Member): Promise<SavedViewRow[]> {
  return tenant
    .selectFrom('saved_views')
    .select(read)
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
        .select(read)
        .where('collaborator_id', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound();
  return row;
}

/** @throws 409 at the person's limit; 403 */
export async function addSavedView(
  tenant: Tenant,
  member: Member,
  { name, filters, sort, columns }: NewView,
): Promise<SavedViewRow> {
  const owner = personOf(member);
  return tenant.transaction(async (tx) => {
    await requireRoom(tx, owner);
    return tx
      .insertInto('saved_views', {
        collaborator_id: owner,
        id: newId(),
        name,
        filters: JSON.stringify(filters),
        sort: sort || null,
        columns: columns ?? null,
      })
      .returning(read)
      .executeTakeFirstOrThrow();
  });
}

/** @throws 404 if it was deleted in the meantime */
export async function changeSavedView(
  tenant: Tenant,
  member: Member,
  before: SavedViewRow,
  { name, filters, sort, columns }: ViewChange,
): Promise<SavedViewRow> {
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
    .returning(read)
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

export function savedView({ filters, ...row }: SavedViewRow): SavedView {
  return { ...row, filters: filters as SavedView['filters'] };
}

function personOf({ collaborator_id: id, isInstallation }: Member): string {
  if (isInstallation) throw beyondLimits(t`An installed app can't have saved views.`);
  return id;
}

/** Takes a lock, so that two concurrent requests can't both take the last place. */
async function requireRoom(tx: TenantTransaction, owner: string): Promise<void> {
  const name = `saved views ${tx.company_id} ${owner}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx.raw);
  const { number } = await tx
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .where('collaborator_id', '=', owner)
    .executeTakeFirstOrThrow();
  if (number < maxViews) return;
  throw new Problem(409, 'conflict', t`You can have ${maxViews} saved views. Delete one first.`);
}
