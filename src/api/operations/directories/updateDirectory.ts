import { forgetMembers } from '../../../identity/members/member.ts';
import { counted } from '../../../product/collaborators/write/collaborator-counts.ts';
import { directoryResponse } from '../../../product/directories/directories.ts';
import { changeDirectory } from '../../../product/directories/update-directory.ts';
import type { Handler } from '../../handler.ts';

export const updateDirectory: Handler<'updateDirectory'> = async ({ body }, context) => {
  const { tenant, caller, mail, directory, base_url: baseUrl } = context;
  const row = await counted(tenant, (tx) => changeDirectory(tx, { actor: caller, mail }, directory.id, body));
  forgetMembers(tenant.company_id);
  return { status: 200, body: await directoryResponse(tenant, row, baseUrl) };
};
