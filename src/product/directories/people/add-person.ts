/** Adds a person to a directory: a new one, an existing one, or a returning one. */
import { sql } from 'kysely';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { lockHierarchy } from '../../collaborators/fields/hierarchy.ts';
import { takenFields } from '../../collaborators/fields/unique-fields.ts';
import { lockAdmins } from '../../collaborators/membership/admins.ts';
import { restorableMs, restoreWithin } from '../../collaborators/remove-collaborator.ts';
import { addCollaborator } from '../../collaborators/write/add-collaborator.ts';
import { lockCollaborator } from '../../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import { inviteAdded } from '../../invitations/send-invitation.ts';
import type { Attributes } from '../attributes.ts';
import type { DirectoryContext } from '../directory-context.ts';
import { applyRoles } from '../groups/group-roles.ts';
import {
  applyActive,
  applyProfile,
  asScimProblem,
  findManager,
  inAnotherDirectory,
  splitAttributes,
  taken,
} from './apply-attributes.ts';
import { peopleAwaiting, setManager } from './awaited-managers.ts';
import { manage, release } from './managed-people.ts';
import { mappedFields, mappedNames, mappedValues, type ResolvedMapping } from './mapped-values.ts';
import { fieldsToAdd, fieldsToChange, type Profile, profileOf } from './profile.ts';

/** @throws 400 and 409 of collaborators, and SCIM's 409 `uniqueness` */
export async function addPerson(
  tx: CountedTransaction,
  context: DirectoryContext,
  attributes: Attributes,
): Promise<string> {
  const { directory, actor, postage } = context;
  const mapped = await mappedFields(tx, context);
  const profile = profileOf(attributes);
  const { user_name: userName, external_id: externalId, active, attributes: rest } = splitAttributes(attributes);
  const waiting = await peopleAwaiting(tx, directory.id, { user_name: userName, external_id: externalId });
  if (profile.manager !== undefined || waiting.length > 0) await lockHierarchy(tx);
  const known = await findExisting(tx, context, userName, externalId, profile);
  if (known) await lockAdmins(tx);
  const manager = await findManager(tx, directory.id, profile.manager, false);
  const { awaited_manager: awaitedManager } = manager;
  const person = {
    user_name: userName,
    external_id: externalId,
    attributes: JSON.stringify(rest),
    awaited_manager: awaitedManager,
  };

  const row = known
    ? await takeOver(tx, context, known, { ...profile, attributes, mapped }, externalId, manager.manager_id)
    : await addNew(tx, context, { ...profile, attributes, mapped }, externalId, manager.manager_id);
  const settled = await applyActive(tx, actor, row, active);
  const own = mappedNames(mapped, attributes);
  await manage(tx, directory.id, settled, { profile, external_id: externalId, active, own });
  await tx
    .insertInto('directory_people', { ...person, directory_id: directory.id, collaborator_id: row.id })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'directory_id', 'collaborator_id']).doUpdateSet({
        ...person,
        removed_at: null,
        revision: sql<number>`directory_people.revision + 1`,
        updated_at: sql<string>`excluded.updated_at`,
      }),
    )
    .execute()
    .catch((error) => {
      throw asScimProblem(error);
    });
  if (known) await applyRoles(tx, context, [row.id]);
  if (directory.on_create === 'invite' && !settled.user_id) await inviteAdded(tx, actor, [settled], postage);
  for (const { collaborator_id: id } of waiting) await setManager(tx, context, id, row.id);
  return row.id;
}

interface SentProfile extends Profile {
  attributes: Attributes;
  mapped: ResolvedMapping | undefined;
}

async function addNew(
  tx: CountedTransaction,
  { directory, actor, quotas }: DirectoryContext,
  { attributes, mapped, ...profile }: SentProfile,
  externalId: string | null,
  managerId: string | null | undefined,
): Promise<CollaboratorRow> {
  await quotas.require(tx, 'people', 1);
  const fields = fieldsToAdd(profile, directory, externalId);
  if (!(await isFree(tx, externalId))) delete fields.external_id;
  return addCollaborator(tx, actor, {
    ...fields,
    manager_id: managerId,
    custom_fields: mappedValues(mapped, attributes, undefined, undefined),
  });
}

async function takeOver(
  tx: CountedTransaction,
  { directory, actor, quotas }: DirectoryContext,
  id: string,
  { attributes, mapped, ...profile }: SentProfile,
  externalId: string | null,
  managerId: string | null | undefined,
): Promise<CollaboratorRow> {
  if ((await lockCollaborator(tx, id, true)).deleted_at !== null) await quotas.require(tx, 'people', 1);
  const restored = await restoreWithin(tx, actor, id);
  const before = restored.deleted_at === null ? restored : await lockCollaborator(tx, id);
  const isNew = externalId !== null && before.external_id === null && (await isFree(tx, externalId));
  const fields = fieldsToChange(undefined, profile, directory, isNew ? { external_id: externalId } : {});
  const values = mappedValues(mapped, attributes, undefined, before);
  return applyProfile(tx, actor, before, { ...fields, manager_id: managerId, custom_fields: values });
}

/** Whether no other person has this external ID. */
async function isFree(tx: TenantTransaction, externalId: string | null): Promise<boolean> {
  return externalId === null || !('external_id' in (await takenFields(tx, { external_id: externalId })));
}

/**
 * One formerly of this directory; otherwise a person of the company outside of any directory.
 * @throws 409 `uniqueness` for people currently in this or another directory
 */
async function findExisting(
  tx: TenantTransaction,
  { directory }: DirectoryContext,
  userName: string,
  externalId: string | null,
  { email }: Profile,
): Promise<string | undefined> {
  const matches = await tx
    .selectFrom('directory_people as p')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'p.company_id').onRef('c.id', '=', 'p.collaborator_id'),
    )
    .select(['c.id', 'c.deleted_at', 'c.erased_at', 'p.external_id', 'p.user_name', 'p.removed_at'])
    .where('p.directory_id', '=', directory.id)
    // Present and removed people have indexes of their own.
    .where(({ eb, or, and, fn }) => {
      const named = [
        eb(fn<string>('lower', ['p.user_name']), '=', userName.toLowerCase()),
        ...(externalId === null ? [] : [eb('p.external_id', '=', externalId)]),
      ];
      return or(
        (['is', 'is not'] as const).flatMap((is) => named.map((each) => and([each, eb('p.removed_at', is, null)]))),
      );
    })
    .execute();
  const present = matches.find((row) => row.removed_at === null && row.deleted_at === null);
  if (present) throw taken(present.user_name.toLowerCase() === userName.toLowerCase() ? 'userName' : 'externalId');
  await forgetDeleted(tx, directory.id, matches);
  const returning = matches
    .filter(isRestorable)
    .sort((a, b) => Number(b.external_id === externalId) - Number(a.external_id === externalId))[0];
  const id = returning?.id ?? (await findInCompany(tx, directory.match_by, externalId, email));
  if (id !== undefined && (await isInOtherDirectory(tx, directory.id, id))) throw inAnotherDirectory();
  return id;
}

/** Releases people who were deleted here, not by the directory. */
async function forgetDeleted(
  tx: TenantTransaction,
  directoryId: string,
  matches: readonly { id: string; removed_at: string | null }[],
): Promise<void> {
  const stale = matches.filter((row) => row.removed_at === null).map(({ id }) => id);
  if (stale.length === 0) return;
  await tx
    .updateTable('directory_people')
    .set({ removed_at: sql<string>`now()` })
    .where('directory_id', '=', directoryId)
    .where('collaborator_id', '=', sql<string>`any(${stale}::uuid[])`)
    .execute();
  await release(tx, stale);
}

function isRestorable({
  deleted_at: deletedAt,
  erased_at: erasedAt,
}: {
  deleted_at: string | null;
  erased_at: string | null;
}) {
  if (erasedAt !== null) return false;
  return deletedAt === null || Date.parse(deletedAt) > Date.now() - restorableMs;
}

async function findInCompany(
  tx: TenantTransaction,
  matchBy: string,
  externalId: string | null,
  email: string,
): Promise<string | undefined> {
  const people = () => tx.selectFrom('collaborators').select('id').where('deleted_at', 'is', null);
  const byKey =
    externalId === null ? undefined : await people().where('external_id', '=', externalId).executeTakeFirst();
  if (byKey || matchBy !== 'email') return byKey?.id;
  return (await people().where(sql`lower(email)`, '=', email.toLowerCase()).executeTakeFirst())?.id;
}

async function isInOtherDirectory(tx: TenantTransaction, directoryId: string, id: string): Promise<boolean> {
  const other = await tx
    .selectFrom('directory_people')
    .select('directory_id')
    .where('collaborator_id', '=', id)
    .where('directory_id', '<>', directoryId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
}
