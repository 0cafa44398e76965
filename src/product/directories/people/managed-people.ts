/** Which people and fields a directory manages: people in it, and the fields that it sends for them. */
import { sql, type Updateable } from 'kysely';
import type { Collaborators } from '../../../../generated/db.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { changeTime } from '../../collaborators/write/change-time.ts';
import type { FieldMapping } from '../directories.ts';
import type { Profile } from './profile.ts';

export const unmanaged = { managed_by: null, managed_fields: null } satisfies Updateable<Collaborators>;

interface SentAttributes {
  profile: Profile;
  external_id: string | null;
  active: boolean | undefined;
  /** Custom fields, as `custom_fields.<key>`. */
  own: readonly string[];
}

/** Always sent, by every provider. */
const requiredFields = ['name', 'email'] as const;
const optionalFields = ['phone', 'position', 'department', 'location', 'employee_number'] as const;

/** The status is managed while the directory says that the person is inactive, so that nobody else lets them in again. */
function fieldsOf(row: CollaboratorRow, { profile, external_id: externalId, active, own }: SentAttributes): string[] {
  const isStatusManaged = active === undefined ? row.managed_fields?.includes('status') : !active;
  return [
    ...requiredFields,
    ...optionalFields.filter((field) => profile[field] !== undefined),
    ...(profile.manager === undefined ? [] : ['manager_id']),
    ...(externalId !== null && row.external_id === externalId ? ['external_id'] : []),
    ...(isStatusManaged && row.status === 'inactive' ? ['status'] : []),
    ...own,
  ];
}

/** Records what a directory manages of a locked row. It is neither history nor an event: no value changes. */
export async function manage(tx: TenantTransaction, directoryId: string, row: CollaboratorRow, sent: SentAttributes) {
  const fields = fieldsOf(row, sent);
  const isSame = row.managed_by === directoryId && row.managed_fields?.join() === fields.join();
  if (isSame) return;
  await tx
    .updateTable('collaborators')
    .set({ managed_by: directoryId, managed_fields: fields, updated_at: changeTime })
    .where('id', '=', row.id)
    .execute();
}

/** Makes people editable who are no longer in their directory. */
export async function release(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('collaborators')
    .set({ ...unmanaged, updated_at: changeTime })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Makes custom fields editable that the directory no longer fills. */
export async function releaseFields(tx: TenantTransaction, directoryId: string, mapping: FieldMapping): Promise<void> {
  const filled = mapping.map(({ custom_field: key }) => `custom_fields.${key}`);
  await tx
    .updateTable('collaborators')
    .set({
      managed_fields: sql<string[]>`array(
        select field from unnest(managed_fields) with ordinality as managed (field, place)
        where field not like 'custom\\_fields.%' or field = any(${filled}::text[]) order by place)`,
      updated_at: changeTime,
    })
    .where('managed_by', '=', directoryId)
    .where(
      sql<boolean>`exists (select from unnest(managed_fields) as managed (field)
        where field like 'custom\\_fields.%' and field <> all(${filled}::text[]))`,
    )
    .execute();
}
