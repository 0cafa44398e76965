import { keysetPage } from '../../../platform/db/cursor.ts';
import { chosenField, fieldValues } from '../../../product/collaborators/list/field-values.ts';
import type { Handler } from '../../handler.ts';

export const listFieldValues: Handler<'listFieldValues'> = async ({ path: { field_name: field }, query }, context) => {
  const { limit = 20, cursor } = query;
  const { tenant, member, cursors } = context;
  const binding = ['listFieldValues', tenant.company_id, member.collaborator_id, field];
  const behind = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const found = await fieldValues(tenant, member, chosenField(field, context), limit + 1, behind);
  const page = keysetPage(found, limit, ({ sort_key: sortKey, value }) => cursors.seal([sortKey, value], binding));
  const data = page.rows.map(({ value, count }) => ({ value, count }));
  return { status: 200, body: { data, pagination: page.pagination } };
};
