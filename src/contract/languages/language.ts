/** The languages of pages, mails and errors, and which of them somebody wants. */
import Negotiator from 'negotiator';

export type Language = 'en' | 'pt' | 'es';

/** The language of those who want none of these, or say nothing. */
export const defaultLanguage: Language = 'en';

/** As `Content-Language` and `lang` of a page name them (RFC 5646). Portuguese is that of Brazil. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR', es: 'es' };

const available = Object.keys(languageTags) as Language[];

/** What is looked at of `Accept-Language`: browsers send less than a tenth of this. */
const mostCharacters = 1000;

/**
 * The language that a request asks for, by RFC 9110, section 12.5.4. A region is no matter: who asks for the Portuguese of
 * Portugal reads that of Brazil rather than English.
 * @param acceptLanguage the header, as it came
 * @returns English where the header asks for nothing that there is
 */
export function requestedLanguage(acceptLanguage: string | string[] | undefined): Language {
  if (acceptLanguage === undefined) return defaultLanguage;
  const header = String(acceptLanguage).slice(0, mostCharacters);
  const negotiator = new Negotiator({ headers: { 'accept-language': header } });
  return (negotiator.language(available) as Language | undefined) ?? defaultLanguage;
}

/**
 * The language that a person has set.
 * @param locale a tag of RFC 5646, such as `pt-BR`
 * @returns undefined for none, and for a language that there is not
 */
export function languageOfLocale(locale: string | null | undefined): Language | undefined {
  if (!locale) return undefined;
  const primary = locale.split('-', 1)[0]!.toLowerCase();
  return available.find((language) => language === primary);
}
