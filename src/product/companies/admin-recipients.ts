import { defaultLanguage, type Language } from '../../contract/languages/language.ts';
import { languageOfCompany, languageOfMember, languagesOf } from '../../identity/members/own-language.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { activeAdmins } from '../collaborators/membership/admins.ts';

interface AdminRecipient {
  user_id: string;
  name: string;
  email: string;
  language: Language;
}

/** The company's name and its active admins, without those who haven't accepted their invitation. */
export async function adminRecipients(tx: TenantTransaction): Promise<{ company: string; admins: AdminRecipient[] }> {
  const company = await companyOf(tx);
  const rows = await activeAdmins(tx).select(['id', 'user_id', 'name', 'email']).execute();
  const ids = rows.map(({ id }) => id);
  const languages = await languagesOf(tx, ids);
  const companyLanguage = (await languageOfCompany(tx)) ?? defaultLanguage;
  const admins = rows.map(({ id, user_id: userId, ...admin }) => ({
    ...admin,
    user_id: userId!,
    language: languages.get(id) ?? companyLanguage,
  }));
  return { company: company.name, admins };
}

/** The person who started something. @returns undefined for an installation, or a person who is no longer active */
export async function recipientOf(
  tx: TenantTransaction,
  userId: string | null,
): Promise<(Omit<AdminRecipient, 'user_id'> & { company: string }) | undefined> {
  if (userId === null) return undefined;
  const person = await tx
    .selectFrom('collaborators')
    .select(['name', 'email'])
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!person) return undefined;
  const language = (await languageOfMember(tx, userId)) ?? (await languageOfCompany(tx)) ?? defaultLanguage;
  return { ...person, language, company: (await companyOf(tx)).name };
}

function companyOf(tx: TenantTransaction): Promise<{ name: string }> {
  const company = tx.global.selectFrom('companies').select('name').where('id', '=', tx.company_id);
  return company.executeTakeFirstOrThrow();
}
