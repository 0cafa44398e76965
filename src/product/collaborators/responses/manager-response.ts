/** Managers for `expand=manager`. */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Member, Viewer } from '../../../identity/members/member.ts';
import { pointRead } from '../../../platform/db/statement.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { visibility } from '../../access/permissions.ts';
import type { ListedRow } from '../../access/records.ts';
import { avatarLink } from './collaborator-response.ts';

type Manager = components['schemas']['CollaboratorManager'];
type Reporting = Pick<ListedRow, 'id' | 'manager_id'>;

const readManagers = pointRead((tenant: Tenant, ids: readonly string[]) =>
  tenant
    .selectFrom('collaborators')
    .select(['id', 'name', 'email', 'position', 'avatar_key'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null),
);

export type ManagerRow = Awaited<ReturnType<typeof readManagers>>[number];

/** @returns the manager of each row; null without one, or for the member's own manager if out of reach */
export async function managersOf(
  tenant: Tenant,
  member: Member,
  rows: readonly Reporting[],
): Promise<(row: Reporting) => ManagerRow | null> {
  const reached = ({ id, manager_id: managerId }: Reporting) =>
    visibility[member.role] === 'all' || id !== member.collaborator_id ? managerId : null;
  const ids = [...new Set(rows.map(reached).filter((id) => id !== null))];
  const found = ids.length > 0 ? await readManagers(tenant, ids) : [];
  const managers = new Map(found.map((manager) => [manager.id, manager]));
  return (row) => managers.get(reached(row) ?? '') ?? null;
}

export function managerResponse(row: ManagerRow | null, { tenant, files }: Viewer): Manager | null {
  if (!row) return null;
  const { avatar_key: avatarKey, ...rest } = row;
  return { ...rest, avatar_url: avatarKey && avatarLink(files.links, tenant.company_id, avatarKey) };
}
