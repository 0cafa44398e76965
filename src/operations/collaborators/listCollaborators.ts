import { sql } from 'kysely';
import { visibility } from '../../access/permissions.ts';
import { collaboratorColumns, teamOf } from '../../access/records.ts';
import { collaboratorView } from '../../collaborators/view.ts';
import type { CompanyContext, Handler, Request } from '../../http/handler.ts';

export const listCollaborators: Handler<'listCollaborators'> = async ({ query }, context) => {
  const { page = 1, per_page = 20 } = query;
  const matching = matchingCollaborators(query, context);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(collaboratorColumns)
    .orderBy('created_at')
    .orderBy('id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
  const total_pages = Math.ceil(total / per_page);
  const meta = { total, page, per_page, total_pages, has_next: page < total_pages, has_prev: page > 1 };
  return { status: 200, body: { data: rows.map((row) => collaboratorView(row, context)), meta } };
};

function matchingCollaborators(
  { status, department, search }: Request<'listCollaborators'>['query'],
  { tenant, member }: CompanyContext,
) {
  const reach = visibility[member.role];
  return tenant
    .selectFrom('collaborators')
    .where('deleted_at', 'is', null)
    .$if(reach === 'team', (query) => query.where('id', 'in', teamOf(tenant, member.collaborator_id)))
    .$if(reach === 'self', (query) => query.where('id', '=', member.collaborator_id))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(department !== undefined, (query) => query.where(sql`lower(department)`, '=', sql`lower(${department})`))
    .$if(search !== undefined, (query) => query.where('search_text', 'like', containing(search!)));
}

/** The pattern that finds a text anywhere, in the form the search column has. The term's own wildcards are escaped. */
function containing(term: string) {
  return sql<string>`'%' || regexp_replace(search_form(${term}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
}
