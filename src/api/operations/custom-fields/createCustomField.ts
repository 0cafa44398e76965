import { forgetMembers } from '../../../identity/members/member.ts';
import { createField } from '../../../product/custom-fields/change-fields.ts';
import { fieldEtag, fieldLocation, fieldResponse } from '../../../product/custom-fields/definitions.ts';
import type { Handler } from '../../handler.ts';

export const createCustomField: Handler<'createCustomField'> = async ({ body }, { tenant, caller }) => {
  const { fields, definition } = await createField(tenant, caller, body);
  const headers = { Location: fieldLocation(definition), ETag: fieldEtag(fields, definition) };
  return { status: 201, headers, body: fieldResponse(fields, definition) };
};

createCustomField.afterCommit = async (response, _, { tenant }) => {
  forgetMembers(tenant.company_id);
  return response;
};
