import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, Problem, validationError } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../platform/mail/mail-queue.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { isId } from '../access/records.ts';
import { lockAdmins } from '../collaborators/membership/admins.ts';
import type { Actor } from '../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../collaborators/write/collaborator-counts.ts';
import { adminRecipients } from '../companies/admin-recipients.ts';
import { type DirectoryRow, directoryColumns, directoryEtag, lockDirectory } from './directories.ts';
import { checkedFieldMapping } from './field-mapping.ts';
import { applyRoles } from './groups/group-roles.ts';
import { releaseFields } from './people/managed-people.ts';

type DirectoryUpdate = components['schemas']['DirectoryUpdate'];
type Mapping = NonNullable<DirectoryUpdate['role_mapping']>;

/**
 * @param expected accepted entity tags; undefined for any
 * @throws 400 for an unknown group, 404 if it was deleted meanwhile, 409 `last_admin`, 412 if no tag matches
 */
export async function changeDirectory(
  tx: CountedTransaction,
  { actor, mail }: { actor: Actor; mail: MailQueue },
  id: string,
  { role_mapping: mapping, field_mapping: sentFieldMapping, ...plain }: DirectoryUpdate,
  expected?: readonly string[],
): Promise<DirectoryRow> {
  const fieldMapping = sentFieldMapping && (await checkedFieldMapping(tx, sentFieldMapping));
  if (mapping) await lockAdmins(tx);
  const row = await lockDirectory(tx, id);
  if (expected && !expected.includes(await directoryEtag(tx, row)))
    throw new Problem(412, 'precondition_failed', t`The directory has changed since you read it. Read it again.`);
  const hasNewRoles = mapping !== undefined && (await changeMapping(tx, actor, row, mapping));
  const settings = { ...plain, ...(fieldMapping && { field_mapping: fieldMapping }) };
  const differs = Object.entries(settings).some(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, row[field as 'name']),
  );
  if (hasNewRoles) await notifyAdmins(tx, mail, row);
  if (!differs && !hasNewRoles) return row;
  if (fieldMapping) await releaseFields(tx, id, fieldMapping);
  await notifyAccessChanged(tx.raw, { company_id: tx.company_id }); // name and `on_local_change` are cached with memberships
  return tx.global
    .updateTable('directories')
    .set({
      ...plain,
      ...(fieldMapping && { field_mapping: JSON.stringify(fieldMapping) }),
      updated_at: sql<string>`statement_timestamp()`,
    })
    .where('id', '=', id)
    .where('company_id', '=', tx.company_id)
    .returning(directoryColumns)
    .executeTakeFirstOrThrow();
}

async function changeMapping(
  tx: CountedTransaction,
  actor: Actor,
  directory: DirectoryRow,
  mapping: Mapping,
): Promise<boolean> {
  const groups = await tx
    .selectFrom('directory_groups')
    .select(['id', 'role'])
    .where('directory_id', '=', directory.id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  refuseUnknownGroups(new Set(groups.map(({ id }) => id)), mapping);
  const roleByGroup = new Map(mapping.map(({ group_id: groupId, role }) => [groupId.toLowerCase(), role]));
  const changed = groups.filter((group) => (roleByGroup.get(group.id) ?? null) !== group.role);
  for (const { id } of changed) {
    await tx
      .updateTable('directory_groups')
      .set({ role: roleByGroup.get(id) ?? null })
      .where('id', '=', id)
      .execute();
  }
  await applyRoles(
    tx,
    { directory, actor },
    await membersOf(
      tx,
      changed.map(({ id }) => id),
    ),
  );
  return changed.length > 0;
}

function refuseUnknownGroups(known: ReadonlySet<string>, mapping: Mapping): void {
  const errors: FieldErrors = {};
  mapping.forEach(({ group_id: groupId }, at) => {
    if (isId(groupId) && known.has(groupId.toLowerCase())) return;
    errors[`role_mapping.${at}.group_id`] = [{ code: 'not_found', message: t`This directory has no such group.` }];
  });
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

async function membersOf(tx: TenantTransaction, groupIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('directory_members')
    .select('collaborator_id')
    .distinct()
    .where('group_id', '=', sql<string>`any(${groupIds}::uuid[])`)
    .execute();
  return rows.map(({ collaborator_id: id }) => id);
}

/** All admins are notified, because the mapping gives rights to many people. */
async function notifyAdmins(
  tx: TenantTransaction,
  mail: MailQueue,
  { id, name: directory }: DirectoryRow,
): Promise<void> {
  const { company, admins } = await adminRecipients(tx);
  const consolePath = `/console/${tx.company_id}/directories/${id}`;
  const mails = admins.map(({ name, email: to, language }): Mail => {
    return { template: 'directory_roles', to, language, values: { name, company, directory, consolePath } };
  });
  await mail.queueOfCompany(tx, mails);
}
