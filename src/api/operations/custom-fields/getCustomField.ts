import { deletionProgress, fieldEtag, fieldResponse } from '../../../product/custom-fields/definitions.ts';
import type { Handler } from '../../handler.ts';

export const getCustomField: Handler<'getCustomField'> = async (_, { tenant, member, customField: definition }) => {
  const progress = definition.deletion ? await deletionProgress(tenant) : {};
  const headers = { ETag: fieldEtag(member.fields, definition) };
  return { status: 200, headers, body: fieldResponse(member.fields, definition, progress) };
};
