import { forgetMembers } from '../../../identity/members/member.ts';
import { addDirectory } from '../../../product/directories/create-directory.ts';
import { directoryLocation, showDirectory } from '../../../product/directories/directories.ts';
import type { Handler } from '../../handler.ts';

export const createDirectory: Handler<'createDirectory'> = async ({ body }, { tenant, caller, base_url: baseUrl }) => {
  const { row, token } = await tenant.transaction((tx) => addDirectory(tx, { ...body, created_by: caller.user_id }));
  forgetMembers(tenant.company_id);
  const { headers, body: response } = await showDirectory(tenant, row, baseUrl);
  return { status: 201, headers: { ...headers, Location: directoryLocation(row) }, body: { ...response, token } };
};
