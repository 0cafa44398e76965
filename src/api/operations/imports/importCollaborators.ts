import { Problem } from '../../../contract/problem.ts';
import { requireStepUp } from '../../../identity/members/step-up.ts';
import { discardObject } from '../../../platform/files/discard-files.ts';
import { receiveBase64 } from '../../../platform/files/inspect/base64-file.ts';
import { createImport } from '../../../product/imports/create-import.ts';
import { receiveImport } from '../../../product/imports/receive-import-file.ts';
import { acceptedImport } from '../../../product/imports/state/import-response.ts';
import type { Handler } from '../../handler.ts';

export const importCollaborators: Handler<'importCollaborators'> = async ({ body }, context) => {
  const { tenant, files, quotas } = context;
  const file =
    'file' in body
      ? body.file
      : typeof body.content_base64 === 'string'
        ? await receiveBase64(body.content_base64, (stream) => receiveImport(files, tenant.company_id, stream, body))
        : body.content_base64;
  try {
    await quotas.require(tenant, 'storage_bytes', file.size);
    const { limit } = await quotas.use(tenant, 'open_imports');
    const row = await tenant.transaction((tx) => createImport(tx, context, file, body, limit));
    return acceptedImport(row, context);
  } catch (error) {
    // After other errors the row may exist; if not, the sweep removes the file.
    if (error instanceof Problem) await discardObject(files.storage, file.key);
    throw error;
  }
};

/**
 * Whether the file contains salaries is only known after reading it. A dry run writes none, and compares none that are hidden.
 */
importCollaborators.check = async ({ body: { dry_run: dryRun } }, { caller }) => {
  if (!dryRun && caller.scopes.includes('salary:write')) requireStepUp(caller);
};
