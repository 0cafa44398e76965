import { visibility } from '../../access/permissions.ts';
import { findCollaborator } from '../../access/records.ts';
import { notFound } from '../../errors.ts';
import { createExport } from '../../exports/create.ts';
import { exportLocation, exportView } from '../../exports/view.ts';
import { personFilename } from '../../exports/wanted.ts';
import type { Handler } from '../../http/handler.ts';

export const exportIndividual: Handler<'exportIndividual'> = async ({ query }, context) => {
  const { tenant, member } = context;
  const { format = 'xlsx', collaborator_id } = query;
  const person = await findCollaborator(tenant, member, visibility[member.role], collaborator_id);
  if (!person) throw notFound();
  const wanted = { kind: 'individual', format, query: { collaborator_id: person.id } } as const;
  const row = await createExport(context, wanted, personFilename(person.name, format));
  return { status: 200, headers: { Location: exportLocation(row) }, body: exportView(row, context) };
};
