/** Applies the attributes that a directory sends to the row of a person. */

import type { Updateable } from 'kysely';
import type { Collaborators } from '../../../../generated/db.ts';
import { validationError } from '../../../contract/problem.ts';
import { isBroken } from '../../../platform/db/broken-constraint.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import { type CollaboratorRow, isId, reportsTo } from '../../access/records.ts';
import { lockManager, managerErrors } from '../../collaborators/fields/hierarchy.ts';
import { takenFields } from '../../collaborators/fields/unique-fields.ts';
import { changeStatus } from '../../collaborators/status.ts';
import { statusReasons } from '../../collaborators/status-reasons.ts';
import { changeProfile } from '../../collaborators/update-collaborator.ts';
import type { Actor } from '../../collaborators/write/change-collaborator.ts';
import type { CountedTransaction } from '../../collaborators/write/collaborator-counts.ts';
import { differences } from '../../collaborators/write/differences.ts';
import { fieldsNow } from '../../custom-fields/in-transaction.ts';
import { takenValueErrors } from '../../custom-fields/unique-values.ts';
import type { Attributes } from '../attributes.ts';
import { ScimProblem } from '../scim-problem.ts';

export function splitAttributes({ userName, externalId, active, ...attributes }: Attributes) {
  for (const [name, value] of Object.entries({ userName, externalId })) {
    if (!['string', 'number', 'undefined'].includes(typeof value))
      throw new ScimProblem(400, 'invalidValue', `${name} must be a string.`);
  }
  // Ignoring an invalid value could leave deactivated people active.
  if (active !== undefined && typeof active !== 'boolean')
    throw new ScimProblem(400, 'invalidValue', 'active must be true or false.');
  const user = String(userName);
  const external = externalId === undefined ? null : String(externalId);
  if (user.length > 320 || (external?.length ?? 0) > 320) {
    throw new ScimProblem(400, 'invalidValue', 'userName and externalId can have at most 320 characters.');
  }
  if (`${user}${external}`.includes('\0'))
    throw new ScimProblem(400, 'invalidValue', "Strings can't have NUL characters.");
  return {
    user_name: user,
    external_id: external,
    active,
    attributes,
  };
}

/** @throws 400 `taken`; `self`, `cycle` of a manager; SCIM's 403 for the address of an admin who hasn't accepted yet */
export async function applyProfile(
  tx: CountedTransaction,
  actor: Actor,
  before: CollaboratorRow,
  fields: Parameters<typeof differences>[1],
): Promise<CollaboratorRow> {
  const set = differences(before, fields, []);
  if (Object.keys(set).length === 0) return before;
  refuseAdminsAddress(before, set);
  const taken = await takenValueErrors(tx, await fieldsNow(tx), before, set);
  const errors = { ...(await takenFields(tx, set, before.id)), ...taken };
  if (typeof set.manager_id === 'string') {
    const error = await managerErrorOf(tx, before.id, set.manager_id);
    if (error) errors.manager_id = [error];
  }
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return changeProfile(tx, actor, before, set);
}

export async function managerErrorOf(tx: TenantTransaction, id: string, managerId: string) {
  if (managerId === id) return managerErrors.self;
  if (!(await lockManager(tx, managerId))) return managerErrors.unknown;
  return (await reportsTo(tx, managerId, id)) ? managerErrors.cycle : undefined;
}

/** Accepting the invitation makes the recipient an admin, so only the company's admins may change that address. */
function refuseAdminsAddress({ role, user_id: userId }: CollaboratorRow, { email }: Updateable<Collaborators>): void {
  if (email === undefined || role !== 'admin' || userId !== null) return;
  const detail = "A directory can't change the email address of an invited admin. An admin of the company can.";
  throw new ScimProblem(403, undefined, detail);
}

/** False deactivates; true activates people who have accepted before, and makes others pending. @throws 409 `last_admin` */
export async function applyActive(
  tx: CountedTransaction,
  actor: Actor,
  row: CollaboratorRow,
  active: boolean | undefined,
): Promise<CollaboratorRow> {
  if (active === undefined || active === (row.status !== 'inactive')) return row;
  const to = active ? (row.accepted_at ? 'active' : 'pending') : 'inactive';
  return changeStatus(tx, actor, row, to, active ? null : statusReasons.deactivated_by_directory);
}

export interface FoundManager {
  /** Undefined if not specified, null for none. */
  manager_id: string | null | undefined;
  /** A manager to set once they arrive, in lower case. */
  awaited_manager: string | null;
}

/** @param reference an id, external id, or user name @param hadManager whether the directory named a manager before */
export async function findManager(
  tx: TenantTransaction,
  directoryId: string,
  reference: string | undefined,
  hadManager: boolean,
): Promise<FoundManager> {
  if (reference === undefined) return { manager_id: hadManager ? null : undefined, awaited_manager: null };
  const found = await tx
    .selectFrom('directory_people as p')
    .innerJoin('collaborators as c', (join) =>
      join.onRef('c.company_id', '=', 'p.company_id').onRef('c.id', '=', 'p.collaborator_id'),
    )
    .select('p.collaborator_id as id')
    .where('p.directory_id', '=', directoryId)
    .where('p.removed_at', 'is', null)
    .where('c.deleted_at', 'is', null)
    .where(({ eb, or, fn }) =>
      or([
        ...(isId(reference) ? [eb('p.collaborator_id', '=', reference.toLowerCase())] : []),
        eb('p.external_id', '=', reference),
        eb(fn<string>('lower', ['p.user_name']), '=', reference.toLowerCase()),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (found) return { manager_id: found.id, awaited_manager: null };
  return { manager_id: hadManager ? null : undefined, awaited_manager: reference.toLowerCase().slice(0, 320) };
}

/** Translates a violated database constraint; returns other errors unchanged. */
export function asScimProblem(error: unknown): unknown {
  if (isBroken(error, 'directory_people_user_name')) return taken('userName');
  if (isBroken(error, 'directory_people_external_id')) return taken('externalId');
  if (isBroken(error, 'directory_people_once') || isBroken(error, 'directory_people_pkey')) return inAnotherDirectory();
  return error;
}

export function taken(attribute: 'userName' | 'externalId'): ScimProblem {
  return new ScimProblem(409, 'uniqueness', `This directory already has a person with this ${attribute}.`);
}

export function inAnotherDirectory(): ScimProblem {
  return new ScimProblem(
    409,
    'uniqueness',
    'Another directory of this company manages the person with this email address or ID.',
  );
}
