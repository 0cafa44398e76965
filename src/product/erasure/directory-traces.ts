/** Erases directories' data about a person, including errors, and what they sent about others that names the person. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type Attributes, isObject, schemas } from '../directories/attributes.ts';
import { addressMatcher, mentionsAddress } from './mentions.ts';
import type { Person } from './traces.ts';

/** If a provider keeps sending the person, it creates a new one. */
export async function eraseFromDirectories(tx: TenantTransaction, { id, addresses }: Person): Promise<number> {
  const removed = await tx
    .deleteFrom('directory_people')
    .where('collaborator_id', '=', id)
    .returning(['user_name', 'external_id'])
    .execute();
  await tx.deleteFrom('directory_members').where('collaborator_id', '=', id).execute();
  const keys = removed.flatMap(({ user_name: userName, external_id: externalId }) =>
    [userName, externalId ?? []].flat(),
  );
  const names = [id, ...keys].map((key) => key.toLowerCase());
  await tx
    .updateTable('directory_people')
    .set({ awaited_manager: null })
    .where(sql`lower(awaited_manager)`, '=', sql<string>`any(${names}::text[])`)
    .execute();
  await eraseFromOthers(tx, names, { id, addresses });
  await sql`
    delete from directory_errors
    where company_id = ${tx.company_id} and (
      lower(subject) = any(${names}::text[]) or ${mentionsAddress(sql`(subject || ' ' || message)`, addresses)})`.execute(
    tx.raw,
  );
  return removed.length;
}

/** @param names the person's keys in directories, in lower case */
async function eraseFromOthers(tx: TenantTransaction, names: string[], { id, addresses }: Person): Promise<void> {
  const manager = sql`lower(attributes #>> ${sql.lit(`{"${schemas.enterprise}",manager,value}`)})`;
  const found = await tx
    .selectFrom('directory_people')
    .select(['directory_id', 'collaborator_id', 'attributes'])
    .where(
      sql<boolean>`(${manager} = any(${names}::text[]) or strpos(lower(attributes::text), ${id}) > 0
        or ${mentionsAddress(sql`attributes::text`, addresses)})`,
    )
    .execute();
  const mentionsPerson = addressMatcher(addresses);
  for (const { directory_id: directoryId, collaborator_id: collaboratorId, attributes } of found) {
    const remaining = without(attributes as Attributes, (text, name) => {
      const value = text.toLowerCase();
      return value.includes(id) || mentionsPerson(value) || (name === 'manager' && names.includes(value));
    });
    await tx
      .updateTable('directory_people')
      .set({
        attributes: JSON.stringify(remaining ?? {}),
        revision: sql<number>`revision + 1`,
        updated_at: sql<string>`now()`,
      })
      .where('directory_id', '=', directoryId)
      .where('collaborator_id', '=', collaboratorId)
      .execute();
  }
}

type Names = (text: string, attribute: string) => boolean;

/** Drops texts that name the person, and the objects whose value they are. */
function without(value: unknown, names: Names, attribute = ''): unknown {
  if (typeof value === 'string') return names(value, attribute) ? undefined : value;
  if (Array.isArray(value)) return value.flatMap((each) => without(each, names, attribute) ?? []);
  if (!isObject(value)) return value;
  const remaining = Object.entries(value).flatMap(([name, inner]) => {
    const stripped = without(inner, names, name === 'value' ? attribute : name);
    return stripped === undefined ? [] : [[name, stripped] as const];
  });
  const hasRemovedValue = 'value' in value && !remaining.some(([name]) => name === 'value');
  return hasRemovedValue || remaining.length === 0 ? undefined : Object.fromEntries(remaining);
}
