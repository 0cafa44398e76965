/** Installations in responses of logs, including those that have ended. */
import { sql } from 'kysely';
import type { AuditActor } from '../../platform/audit/entry.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

interface NamedInstallation {
  client_id: string;
  /** The app's current name. */
  name: string;
  /** The user id of the installer, who may have left. */
  installed_by: string;
}

/** @param ids of actors in this company: users and installations @returns the installations among them, by id */
export async function installationsAmong(
  tenant: Tenant,
  ids: Iterable<string | null>,
): Promise<Map<string, NamedInstallation>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null);
  if (uniqueIds.length === 0) return new Map();
  const found = await tenant.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as app', 'app.id', 'g.client_id')
    .select(['g.id', 'g.client_id', 'g.user_id as installed_by', 'app.name'])
    .where('g.id', '=', sql<string>`any(${uniqueIds}::text[])`)
    .where('g.installation_role', 'is not', null)
    .execute();
  return new Map(found.map(({ id, ...details }) => [id, details]));
}

/** @returns current client names, by id */
export async function clientNames(tenant: Tenant, ids: Iterable<string | null>): Promise<Map<string, string>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null);
  if (uniqueIds.length === 0) return new Map();
  const found = await tenant.global
    .selectFrom('oauth_clients')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${uniqueIds}::text[])`)
    .execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** The actor of a job's result, for the audit log. @param id of a user or an installation; null for the operator */
export async function actorOfResult(tenant: Tenant, id: string | null): Promise<AuditActor> {
  if (id === null) return { type: 'operator' };
  const installation = (await installationsAmong(tenant, [id])).get(id);
  if (!installation) return { type: 'user', user_id: id };
  return { type: 'installation', installation_id: id, client_id: installation.client_id };
}
