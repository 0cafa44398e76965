/** Erases directories' data about a person, including errors. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { Person } from './traces.ts';

/** If a provider keeps sending the person, it creates a new one. */
export async function eraseFromDirectories(tx: TenantTransaction, { id, addresses }: Person): Promise<number> {
  const gone = await tx
    .deleteFrom('directory_people')
    .where('collaborator_id', '=', id)
    .returning(['user_name', 'external_id'])
    .execute();
  await tx.deleteFrom('directory_members').where('collaborator_id', '=', id).execute();
  const keys = gone.flatMap(({ user_name: userName, external_id: externalId }) => [userName, externalId ?? []].flat());
  const names = [id, ...keys].map((key) => key.toLowerCase());
  await tx
    .updateTable('directory_people')
    .set({ awaited_manager: null })
    .where(sql`lower(awaited_manager)`, '=', sql<string>`any(${names}::text[])`)
    .execute();
  await sql`
    delete from directory_errors
    where company_id = ${tx.company_id} and (
      lower(subject) = any(${names}::text[])
      or exists (
        select from unnest(${addresses}::text[]) as known (address) where strpos(lower(subject || ' ' || message), address) > 0
      ))`.execute(tx.raw);
  return gone.length;
}
