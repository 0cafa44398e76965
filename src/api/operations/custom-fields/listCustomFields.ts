import { keysetPage } from '../../../platform/db/cursor.ts';
import { deletionProgress, fieldResponse, knownFields } from '../../../product/custom-fields/definitions.ts';
import type { Handler } from '../../handler.ts';

export const listCustomFields: Handler<'listCustomFields'> = async ({ query }, { tenant, member, cursors }) => {
  const { limit = 20, cursor, include_archived: includeArchived = false } = query;
  const binding = ['listCustomFields', tenant.company_id, member.collaborator_id, includeArchived];
  const [last] = cursor === undefined ? [] : (cursors.open(cursor, binding) as [string]);
  const known = knownFields(member).filter(({ archived }) => includeArchived || !archived);
  const from = last === undefined ? 0 : known.findIndex(({ key }) => key === last) + 1;
  const { rows, pagination } = keysetPage(known.slice(from, from + limit + 1), limit, ({ key }) =>
    cursors.seal([key], binding),
  );
  const progress = rows.some(({ deletion }) => deletion) ? await deletionProgress(tenant) : {};
  return { status: 200, body: { data: rows.map((row) => fieldResponse(member.fields, row, progress)), pagination } };
};
