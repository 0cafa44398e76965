import { openPage } from '../../../platform/db/cursor.ts';
import { chosenField, fieldValues } from '../../../product/collaborators/list/field-values.ts';
import type { Handler } from '../../handler.ts';

export const listFieldValues: Handler<'listFieldValues'> = async ({ path: { field_name: field }, query }, context) => {
  const { tenant, member, cursors } = context;
  const page = openPage(query, cursors, ['listFieldValues', tenant.company_id, member.collaborator_id, field]);
  const found = await fieldValues(tenant, member, chosenField(field, context), page.count, page.after);
  const { rows, pagination } = page.of(found, ({ sort_key: sortKey, value }) => [sortKey, value]);
  const data = rows.map(({ value, count }) => ({ value, count }));
  return { status: 200, body: { data, pagination } };
};
