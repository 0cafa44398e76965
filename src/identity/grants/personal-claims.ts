/** What a client learns of the person who signed in (OpenID Connect Core 1.0, section 5.1): of their own account, nothing of a company. */
import { languageTags } from '../../contract/languages/language.ts';
import type { Database } from '../../platform/db/client.ts';
import { languageOfUser } from '../members/own-language.ts';

/** Those of `profile` and `email`. */
export const personalClaims = ['sub', 'name', 'locale', 'email', 'email_verified'] as const;

type PersonalClaims = { sub: string } & Partial<Record<'name' | 'locale' | 'email', string>> & {
    email_verified?: boolean;
  };

/**
 * @param scopes that the client was granted: `profile` shows the name, `email` the address
 * @returns `email_verified` is true for an address at which the person has opened a mail of ours
 */
export async function claimsOfUser(db: Database, userId: string, scopes: ReadonlySet<string>): Promise<PersonalClaims> {
  const [showsName, showsAddress] = [scopes.has('profile'), scopes.has('email')];
  if (!showsName && !showsAddress) return { sub: userId };
  const [user, language] = await Promise.all([
    db.global
      .selectFrom('users')
      .select(['name', 'email', 'email_confirmed_at'])
      .where('id', '=', userId)
      .executeTakeFirst(),
    showsName ? languageOfUser(db, userId) : undefined,
  ]);
  if (!user) return { sub: userId };
  return {
    sub: userId,
    ...(showsName && { name: user.name, ...(language && { locale: languageTags[language] }) }),
    ...(showsAddress && { email: user.email, email_verified: user.email_confirmed_at !== null }),
  };
}
