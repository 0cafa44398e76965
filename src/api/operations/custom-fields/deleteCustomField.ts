import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { forgetMembers } from '../../../identity/members/member.ts';
import { fieldResponse } from '../../../product/custom-fields/definitions.ts';
import { deleteField } from '../../../product/custom-fields/delete-field.ts';
import type { Handler } from '../../handler.ts';

export const deleteCustomField: Handler<'deleteCustomField'> = async ({ path, query, ifMatch }, { tenant, caller }) => {
  if (query.confirm !== path.key) {
    const message = t`Must be the key of the field, ${path.key}.`;
    throw new Problem(400, 'invalid_parameter', t`The field is deleted only when its key is repeated.`, {
      details: { confirm: [{ code: 'not_in_enum', message }] },
    });
  }
  const { fields, definition } = await deleteField(tenant, caller, path.key, ifMatch);
  return { status: 202, body: fieldResponse(fields, definition) };
};

deleteCustomField.afterCommit = async (response, _, { tenant }) => {
  forgetMembers(tenant.company_id);
  return response;
};
