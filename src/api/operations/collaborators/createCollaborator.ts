import { renderCollaborator } from '../../../product/collaborators/responses/collaborator-response.ts';
import { addCollaborator } from '../../../product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../product/collaborators/write/collaborator-counts.ts';
import { newValues } from '../../../product/custom-fields/sent-values.ts';
import type { Handler } from '../../handler.ts';

export const createCollaborator: Handler<'createCollaborator'> = async ({ body }, context) => {
  const { tenant, caller, base_url: baseUrl, quotas } = context;
  await quotas.require(tenant, 'people', 1);
  const row = await counted(tenant, async (tx) => {
    const { values, errors } = await newValues(tx, context, body.custom_fields);
    return addCollaborator(tx, caller, { ...body, custom_fields: values }, errors);
  });
  const { headers, ...response } = renderCollaborator(201, row, context);
  return { ...response, headers: { ...headers, Location: `${baseUrl}/v1/collaborators/${row.id}` } };
};
