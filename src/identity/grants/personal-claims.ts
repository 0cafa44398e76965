/** Claims about the user (OpenID Connect Core 1.0, section 5.1): from their account, nothing about companies. */
import { languageTags } from '../../contract/languages/language.ts';
import type { Database } from '../../platform/db/client.ts';
import { languageOfUser } from '../members/own-language.ts';

/** Those of `profile` and `email`. */
export const personalClaims = ['sub', 'name', 'locale', 'email', 'email_verified'] as const;

type PersonalClaims = { sub: string } & Partial<Record<'name' | 'locale' | 'email', string>> & {
    email_verified?: boolean;
  };

/** @returns `email_verified` is true if the user has opened a mail from us at the address */
export async function claimsOfUser(db: Database, userId: string, scopes: ReadonlySet<string>): Promise<PersonalClaims> {
  const [includesName, includesAddress] = [scopes.has('profile'), scopes.has('email')];
  if (!includesName && !includesAddress) return { sub: userId };
  const [user, language] = await Promise.all([
    db.global
      .selectFrom('users')
      .select(['name', 'email', 'email_confirmed_at', 'only_company_id'])
      .where('id', '=', userId)
      .executeTakeFirst(),
    includesName ? languageOfUser(db, userId) : undefined,
  ]);
  if (!user) return { sub: userId };
  const isVerified = user.only_company_id ? await isOfProvenDomain(db, user.only_company_id, user.email) : undefined;
  return {
    sub: userId,
    ...(includesName && { name: user.name, ...(language && { locale: languageTags[language] }) }),
    ...(includesAddress &&
      isVerified !== false && { email: user.email, email_verified: isVerified ?? user.email_confirmed_at !== null }),
  };
}

/**
 * A company could assign its provider's users any address, and apps identify people by address, so addresses of domains that it
 * hasn't verified aren't disclosed.
 */
async function isOfProvenDomain(db: Database, companyId: string, email: string): Promise<boolean> {
  const domain = await db.global
    .selectFrom('sign_in_domains')
    .select('domain')
    .where('company_id', '=', companyId)
    .where('domain', '=', email.slice(email.lastIndexOf('@') + 1).toLowerCase())
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  return domain !== undefined;
}
