import { forgetMembers } from '../../../identity/members/member.ts';
import { changeField } from '../../../product/custom-fields/change-fields.ts';
import { fieldEtag, fieldResponse } from '../../../product/custom-fields/definitions.ts';
import type { Handler } from '../../handler.ts';

export const updateCustomField: Handler<'updateCustomField'> = async ({ path, body, ifMatch }, { tenant, caller }) => {
  const { fields, definition } = await changeField(tenant, caller, path.key, body, ifMatch);
  return { status: 200, headers: { ETag: fieldEtag(fields, definition) }, body: fieldResponse(fields, definition) };
};

updateCustomField.afterCommit = async (response, _, { tenant }) => {
  forgetMembers(tenant.company_id);
  return response;
};
