import { createGroupExport } from '../../../product/exports/create-export.ts';
import { exportLink, exportLocation } from '../../../product/exports/export-response.ts';
import type { Handler } from '../../handler.ts';

const deprecatedSince = '@1772323200';
const successor = '</v1/collaborators/export-excel/group>; rel="successor-version"';

export const exportGroupAlias: Handler<'exportGroupAlias'> = async ({ query }, context) => {
  const row = await createGroupExport(context, { ...query, language: query.language ?? context.language() });
  const headers = { Location: exportLocation(row), Deprecation: deprecatedSince, Link: successor };
  return { status: 200, headers, body: exportLink(row, context) };
};
