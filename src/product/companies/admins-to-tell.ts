/** Whom a mail to the admins of a company goes to, in whose language. */
import { default_language, type Language } from '../../contract/languages/language.ts';
import { languageOfCompany, languagesOf } from '../../identity/members/own-language.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';

interface AdminToTell {
  name: string;
  email: string;
  language: Language;
}

/** The name of the company, and its active admins; who has not accepted an invitation is told nothing of the company. */
export async function adminsToTell(tx: TenantTransaction): Promise<{ company: string; admins: AdminToTell[] }> {
  const company = await tx.global
    .selectFrom('companies')
    .select('name')
    .where('id', '=', tx.company_id)
    .executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom('collaborators')
    .select(['id', 'name', 'email'])
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('user_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute();
  const ids = rows.map(({ id }) => id);
  const languages = await languagesOf(tx, ids);
  const of_company = (await languageOfCompany(tx)) ?? default_language;
  const admins = rows.map(({ id, ...admin }) => ({ ...admin, language: languages.get(id) ?? of_company }));
  return { company: company.name, admins };
}
