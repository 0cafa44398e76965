import { keysetPage } from '../../../platform/db/cursor.ts';
import { historyViews, newestEntries } from '../../../product/collaborators/write/history.ts';
import type { Handler } from '../../handler.ts';

export const listHistory: Handler<'listHistory'> = async ({ query: { limit = 20, cursor } }, context) => {
  const { tenant, member, collaborator, cursors } = context;
  const binding = ['listHistory', tenant.company_id, collaborator.id];
  const after = cursor === undefined ? undefined : (cursors.open(cursor, binding) as [string, string]);
  const entries = await newestEntries(tenant, member, collaborator.id, limit + 1, after);
  const { rows, pagination } = keysetPage(entries, limit, ({ timestamp, id }) =>
    cursors.seal([timestamp, id], binding),
  );
  return { status: 200, body: { data: await historyViews(tenant, rows, context), pagination } };
};
