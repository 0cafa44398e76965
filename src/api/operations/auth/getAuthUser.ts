import { t } from '../../../contract/languages/text.ts';
import { unauthorized } from '../../../contract/problem.ts';
import { findMember } from '../../../identity/members/member.ts';
import { avatarLink } from '../../../product/collaborators/responses/collaborator-response.ts';
import type { BaseContext, Handler } from '../../handler.ts';

export const getAuthUser: Handler<'getAuthUser'> = async (_request, context) => {
  const { caller, db } = context;
  if (caller.installation_role) return { status: 200, body: await installation(context) };
  const user = await db.global
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', '=', caller.user_id)
    .executeTakeFirst();
  if (!user) throw unauthorized('invalid_token', t`The user of this token no longer exists.`);
  const companies = await companiesOf(context);
  const body = {
    kind: 'user',
    ...user,
    avatar_url: await avatarOf(context, companies),
    scopes: caller.scopes,
    companies,
  };
  return { status: 200, body };
};

async function installation(context: BaseContext) {
  const { caller, db } = context;
  const { user_id: id, client_id: clientId, scopes } = caller;
  const { name } = await db.global
    .selectFrom('oauth_clients')
    .select('name')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  const companies = (await companiesOf(context)).map((company) => ({ ...company, collaborator_id: null }));
  return { kind: 'installation', id, name, email: null, avatar_url: null, scopes, companies };
}

/** The photo from the first of these companies that has one. */
async function avatarOf(
  { db, files }: BaseContext,
  companies: { id: string; collaborator_id: string }[],
): Promise<string | null> {
  for (const { id: companyId, collaborator_id: collaboratorId } of companies) {
    const row = await db
      .tenant(companyId)
      .selectFrom('collaborators')
      .select('avatar_key')
      .where('id', '=', collaboratorId)
      .executeTakeFirst();
    if (row?.avatar_key) return avatarLink(files.links, companyId, row.avatar_key);
  }
  return null;
}

/** The companies of the consent where the user is an active collaborator, by name. */
async function companiesOf({ caller, db }: BaseContext) {
  if (caller.company_ids.length === 0) return [];
  const companies = await db.global
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', 'in', caller.company_ids)
    .orderBy('name')
    .orderBy('id')
    .execute();
  const members = await Promise.all(companies.map(({ id }) => findMember(caller, db.tenant(id))));
  return companies.flatMap((company, i) => {
    const member = members[i];
    return member ? [{ ...company, role: member.role, collaborator_id: member.collaborator_id }] : [];
  });
}
