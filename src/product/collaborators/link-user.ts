/** The connection between a collaborator and the user who signs in as them. */
import { sql } from 'kysely';
import { unnested } from '../../platform/db/insert-each.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../access/records.ts';

/** Ties a collaborator to the user with the same address. @returns that user's id; null when nobody signs in with it */
export async function linkUser(tx: TenantTransaction, row: CollaboratorRow): Promise<string | null> {
  const user = await tx.global
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', row.email.toLowerCase()))
    .executeTakeFirst();
  if (!user || !(await addMembership(tx, user.id, row.id))) return null;
  return user.id;
}

/** The same for many. @returns ids of users by those of collaborators */
export async function linkUsers(tx: TenantTransaction, rows: readonly CollaboratorRow[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const collaborators = new Map(rows.map(({ id, email }) => [email.toLowerCase(), id]));
  const users = await tx.global
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', sql<string>`any(${[...collaborators.keys()]}::text[])`))
    .orderBy('id') // the order in which everyone writes many
    .execute();
  const user_ids = users.map(({ id }) => id);
  const taken = await tx
    .selectFrom('collaborators')
    .select(['id', 'user_id'])
    .where('user_id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  const others = new Set(taken.map(({ user_id }) => user_id));
  const links = users
    .filter(({ id }) => !others.has(id))
    .map(({ id, email }) => ({ user_id: id, collaborator_id: collaborators.get(email.toLowerCase())! }));
  if (links.length === 0) return new Map();
  await sql`
    insert into memberships (user_id, company_id, collaborator_id)
    select given.user_id, ${tx.company_id}::uuid, given.collaborator_id
    from ${unnested({ user_id: 'uuid', collaborator_id: 'uuid' }, links)}
    on conflict (user_id, company_id) do update set collaborator_id = excluded.collaborator_id`.execute(tx.raw);
  return new Map(links.map(({ user_id, collaborator_id }) => [collaborator_id, user_id]));
}

/** @returns false when the user is someone else in this company already */
export async function addMembership(tx: TenantTransaction, user_id: string, collaborator_id: string): Promise<boolean> {
  const taken = await tx
    .selectFrom('collaborators')
    .select('id')
    .where('user_id', '=', user_id)
    .where('id', '<>', collaborator_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (taken) return false;
  await tx.global
    .insertInto('memberships')
    .values({ user_id, company_id: tx.company_id, collaborator_id })
    .onConflict((conflict) => conflict.columns(['user_id', 'company_id']).doUpdateSet({ collaborator_id }))
    .execute();
  return true;
}
