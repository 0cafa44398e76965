/** The loaders: for each word of `x-resource`, what `{id}` names. It does not compile when one is missing. */

import { notFound } from '../../contract/problem.ts';
import { visibility } from '../../product/access/permissions.ts';
import { findCollaborator } from '../../product/access/records.ts';
import { findApp } from '../../product/apps/apps.ts';
import { findReadableExport } from '../../product/exports/export-reader.ts';
import { findImport } from '../../product/imports/state/find-import.ts';
import { findWebhook } from '../../product/webhooks/subscriptions.ts';
import type { ResourceContexts } from '../handler.ts';
import type { ResourceLoader } from './steps/find-resource.ts';

export const resources = {
  /** Where the role may not call the operation at all, what it may see decides between 404 here and 403 later. */
  collaborator: async (id, { tenant, member, access, finds_deleted }) => {
    const allowed = access.roles![member.role];
    const scope = allowed === 'none' ? visibility[member.role] : allowed;
    const collaborator = await findCollaborator(tenant, member, scope, id, finds_deleted);
    if (!collaborator) throw notFound();
    return { context: { collaborator }, record_id: collaborator.id };
  },
  app: async (id, { tenant }) => ({ context: { app: await findApp(tenant, id) } }),
  webhook: async (id, { tenant }) => ({ context: { webhook: await findWebhook(tenant, id) } }),
  import: async (id, { tenant }) => ({ context: { import_row: await findImport(tenant, id) } }),
  export: async (id, { tenant, caller }) => ({
    context: { export_row: await findReadableExport(tenant, caller.user_id, id) },
  }),
} satisfies { [R in keyof ResourceContexts]: ResourceLoader<ResourceContexts[R]> };
