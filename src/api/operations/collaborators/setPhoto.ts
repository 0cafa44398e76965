import { photoBytes } from '../../../platform/photos/photo-bytes.ts';
import { setPhoto as set } from '../../../product/collaborators/photo.ts';
import { renderCollaborator } from '../../../product/collaborators/responses/collaborator-response.ts';
import { photoQuotaBytes } from '../../../product/companies/quotas.ts';
import type { Handler } from '../../handler.ts';

export const setPhoto: Handler<'setPhoto'> = async ({ body, createOnly }, context) => {
  const { tenant, caller, collaborator, files, photos, quotas } = context;
  if (!collaborator.avatar_key) await quotas.require(tenant, 'storage_bytes', photoQuotaBytes);
  const row = await set(tenant, caller, collaborator.id, photoBytes(body), {
    files,
    photos,
    createOnly,
  });
  return renderCollaborator(200, row, context);
};
