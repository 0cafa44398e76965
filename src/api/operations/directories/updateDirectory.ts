import { forgetMembers } from '../../../identity/members/member.ts';
import { counted } from '../../../product/collaborators/write/collaborator-counts.ts';
import { showDirectory } from '../../../product/directories/directories.ts';
import { changeDirectory } from '../../../product/directories/update-directory.ts';
import type { Handler } from '../../handler.ts';

export const updateDirectory: Handler<'updateDirectory'> = async ({ body, ifMatch }, context) => {
  const { tenant, caller, mail, directory, base_url: baseUrl } = context;
  const row = await counted(tenant, (tx) => changeDirectory(tx, { actor: caller, mail }, directory.id, body, ifMatch));
  forgetMembers(tenant.company_id);
  return showDirectory(tenant, row, baseUrl);
};
