import { notFound } from '../../../contract/problem.ts';
import { scopeOf, visibility } from '../../../product/access/permissions.ts';
import { findCollaborator } from '../../../product/access/records.ts';
import { personFilename } from '../../../product/exports/content/export-request.ts';
import { createExport } from '../../../product/exports/create-export.ts';
import { exportLocation, exportResponse } from '../../../product/exports/export-response.ts';
import type { Handler } from '../../handler.ts';

export const exportIndividual: Handler<'exportIndividual'> = async ({ query }, context) => {
  const { tenant, member } = context;
  const { format = 'xlsx', collaborator_id: collaboratorId, language = context.language(), delimiter } = query;
  const person = await findCollaborator(tenant, member, scopeOf(visibility, member), collaboratorId);
  if (!person) throw notFound();
  const request = { kind: 'individual', format, query: { collaborator_id: person.id, language, delimiter } } as const;
  const row = await createExport(context, request, personFilename(person.name, format));
  return {
    status: 200,
    headers: { Location: exportLocation(row) },
    body: exportResponse(row, context, context.language()),
  };
};
