import { openPage } from '../../../platform/db/cursor.ts';
import { deletionProgress, fieldResponse, knownFields } from '../../../product/custom-fields/definitions.ts';
import type { Handler } from '../../handler.ts';

export const listCustomFields: Handler<'listCustomFields'> = async ({ query }, { tenant, member, cursors }) => {
  const { include_archived: includeArchived = false } = query;
  const binding = ['listCustomFields', tenant.company_id, member.collaborator_id, includeArchived];
  const page = openPage<[key: string]>(query, cursors, binding);
  const known = knownFields(member).filter(({ archived }) => includeArchived || !archived);
  const from = page.after === undefined ? 0 : known.findIndex(({ key }) => key === page.after![0]) + 1;
  const { rows, pagination } = page.of(known.slice(from, from + page.count), ({ key }) => [key]);
  const progress = rows.some(({ deletion }) => deletion) ? await deletionProgress(tenant) : {};
  return { status: 200, body: { data: rows.map((row) => fieldResponse(member.fields, row, progress)), pagination } };
};
