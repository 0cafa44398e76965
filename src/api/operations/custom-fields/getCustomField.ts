import { deletionProgress, fieldEtag, fieldView, findField } from '../../../product/custom-fields/definitions.ts';
import type { Handler } from '../../handler.ts';

export const getCustomField: Handler<'getCustomField'> = async ({ path: { key } }, { tenant, member }) => {
  const definition = findField(member, key);
  const progress = definition.deletion ? await deletionProgress(tenant) : {};
  const headers = { ETag: fieldEtag(member.fields, definition) };
  return { status: 200, headers, body: fieldView(member.fields, definition, progress) };
};
