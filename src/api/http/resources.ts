/** The resource loaders: one per value of `x-resource`. A missing loader is a compile error. */

import { notFound } from '../../contract/problem.ts';
import { scopeOf, visibility } from '../../product/access/permissions.ts';
import { findCollaborator } from '../../product/access/records.ts';
import { findApp } from '../../product/apps/apps.ts';
import { findConnection } from '../../product/connections/connections.ts';
import { findField } from '../../product/custom-fields/definitions.ts';
import { findDirectory } from '../../product/directories/directories.ts';
import { findReadableExport } from '../../product/exports/export-reader.ts';
import { findImport } from '../../product/imports/state/find-import.ts';
import { findSavedView } from '../../product/saved-views/saved-views.ts';
import { findSignInConnection } from '../../product/sign-in-connections/sign-in-connections.ts';
import { findWebhook } from '../../product/webhooks/subscriptions/subscriptions.ts';
import type { ResourceContexts } from '../handler.ts';
import type { ResourceLoader } from './steps/find-resource.ts';

export const resources = {
  /** If the role may not call the operation at all, its visibility decides between a 404 here and a 403 later. */
  collaborator: async (id, { tenant, member, access, includesDeleted }) => {
    const allowed = scopeOf(access.roles!, member);
    const scope = allowed === 'none' ? scopeOf(visibility, member) : allowed;
    const collaborator = await findCollaborator(tenant, member, scope, id, includesDeleted);
    if (!collaborator) throw notFound();
    return { context: { collaborator }, record_id: collaborator.id };
  },
  app: async (id, { tenant }) => ({ context: { app: await findApp(tenant, id) } }),
  directory: async (id, { tenant }) => ({ context: { directory: await findDirectory(tenant, id) } }),
  sign_in_connection: async (id, { tenant }) => ({
    context: { signInConnection: await findSignInConnection(tenant, id) },
  }),
  /** Roles without access to all connections see their own. */
  connection: async (id, { tenant, caller, member, access }) => {
    const own = access.roles![member.role] === 'all' ? undefined : caller.user_id;
    return { context: { connection: await findConnection(tenant, id, own) } };
  },
  webhook: async (id, { tenant }) => ({ context: { webhook: await findWebhook(tenant, id) } }),
  custom_field: async (key, { member }) => ({ context: { customField: findField(member, key) } }),
  saved_view: async (id, { tenant, member }) => ({ context: { savedView: await findSavedView(tenant, member, id) } }),
  import: async (id, { tenant }) => ({ context: { importRow: await findImport(tenant, id) } }),
  export: async (id, { tenant, caller }) => ({
    context: { exportRow: await findReadableExport(tenant, caller.user_id, id) },
  }),
} satisfies { [R in keyof ResourceContexts]: ResourceLoader<ResourceContexts[R]> };
