/**
 * The language that people have set for themselves, in their notification preferences: they have such for each company.
 *
 * What concerns a company, such as an invitation, is said in the language of its own record of the person: what another company
 * knows of them is not told by it. What concerns the account, such as a new password, is said in the one that was set last.
 */
import { sql } from 'kysely';
import { type Language, languageOfLocale } from '../../contract/languages/language.ts';
import type { Database } from '../../platform/db/client.ts';
import { fromReachable } from '../../platform/db/reachable.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

const locale = sql<string>`p.preferences ->> 'locale'`;

/** Of an account. @returns undefined when they have set none that there is, in no company where they are active and that can be asked */
export async function languageOfUser(db: Database, userId: string): Promise<Language | undefined> {
  const memberships = await db.global
    .selectFrom('memberships')
    .select(['company_id', 'collaborator_id'])
    .where('user_id', '=', userId)
    .execute();
  const found = await fromReachable(
    memberships.map(({ company_id: companyId, collaborator_id: collaboratorId }) =>
      withPreferences(db.tenant(companyId))
        .select(['p.updated_at', locale.as('locale')])
        .where('c.id', '=', collaboratorId)
        .where('c.user_id', '=', userId)
        .where('c.status', '=', 'active')
        .execute(),
    ),
  );
  const set = found.flat().filter((each) => languageOfLocale(each.locale) !== undefined);
  const [newest] = set.sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
  return languageOfLocale(newest?.locale);
}

/** Of collaborators of a company, by their id. Who has set none is not in it. */
export async function languagesOf(tenant: Tenant, ids: readonly string[]): Promise<Map<string, Language>> {
  const rows = await withPreferences(tenant)
    .select(['c.id', locale.as('locale')])
    .where('c.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const language = languageOfLocale(row.locale);
      return language ? [[row.id, language]] : [];
    }),
  );
}

/** That mails of a company are in, to whoever has set none. */
export async function languageOfCompany(tenant: Tenant): Promise<Language | undefined> {
  const company = tenant.global.selectFrom('companies').select('locale').where('id', '=', tenant.company_id);
  return languageOfLocale((await company.executeTakeFirst())?.locale);
}

/** Of a user in one company. */
export async function languageOfMember(tenant: Tenant, userId: string): Promise<Language | undefined> {
  const row = await withPreferences(tenant)
    .select(locale.as('locale'))
    .where('c.user_id', '=', userId)
    .executeTakeFirst();
  return languageOfLocale(row?.locale);
}

function withPreferences(tenant: Tenant) {
  return tenant
    .selectFrom('collaborators as c')
    .innerJoin('notification_preferences as p', (join) =>
      join.onRef('p.company_id', '=', 'c.company_id').onRef('p.collaborator_id', '=', 'c.id'),
    )
    .where('c.deleted_at', 'is', null);
}
