import { notFound } from '../../../contract/problem.ts';
import { forgetMembers } from '../../../identity/members/member.ts';
import { removeDirectory } from '../../../product/directories/remove-directory.ts';
import type { Handler } from '../../handler.ts';

export const deleteDirectory: Handler<'deleteDirectory'> = async (_, { tenant, caller, directory: { id } }) => {
  const removed = await tenant.transaction((tx) => removeDirectory(tx, id, caller.user_id));
  forgetMembers(tenant.company_id);
  if (!removed) throw notFound(); // deleted concurrently
  return { status: 200, body: { id, deleted: true, deleted_at: removed.deleted_at } };
};
