/**
 * The language that people have set in their notification preferences, separately for each company.
 *
 * Company mails, such as invitations, use the language in that company's record, so that nothing from other companies leaks.
 * Account mails, such as password resets, use the most recently set language.
 */
import { sql } from 'kysely';
import { type Language, languageOfLocale } from '../../contract/languages/language.ts';
import type { Database } from '../../platform/db/client.ts';
import { settleReachable } from '../../platform/db/reachable.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

const locale = sql<string>`p.preferences ->> 'locale'`;

/** For an account. @returns undefined when no reachable company where they are active has a supported language set */
export async function languageOfUser(db: Database, userId: string): Promise<Language | undefined> {
  const memberships = await db.global
    .selectFrom('memberships')
    .select(['company_id', 'collaborator_id'])
    .where('user_id', '=', userId)
    .execute();
  const found = await settleReachable(
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

/** Of collaborators by id, without those that have none set. */
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

/** The default for a company's mails. */
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
