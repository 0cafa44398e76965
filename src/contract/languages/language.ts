/** The languages of pages, mails, and errors, and their negotiation. */
import Negotiator from 'negotiator';

export type Language = 'en' | 'pt' | 'es';

/** The fallback language. */
export const defaultLanguage: Language = 'en';

/** For `Content-Language` and `lang` (RFC 5646). Portuguese is Brazilian. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR', es: 'es' };

const available = Object.keys(languageTags) as Language[];

/** The evaluated length of `Accept-Language`: browsers send less than a tenth of it. */
const maxCharacters = 1000;

/**
 * Negotiates the language of a request (RFC 9110, section 12.5.4), ignoring regions: speakers of European Portuguese prefer
 * Brazilian Portuguese to English.
 */
export function requestedLanguage(acceptLanguage: string | string[] | undefined): Language {
  if (acceptLanguage === undefined) return defaultLanguage;
  const header = String(acceptLanguage).slice(0, maxCharacters);
  const negotiator = new Negotiator({ headers: { 'accept-language': header } });
  return (negotiator.language(available) as Language | undefined) ?? defaultLanguage;
}

/** @param locale a tag of RFC 5646, such as `pt-BR` @returns undefined for none, or an unsupported language */
export function languageOfLocale(locale: string | null | undefined): Language | undefined {
  if (!locale) return undefined;
  const primary = locale.split('-', 1)[0]!.toLowerCase();
  return available.find((language) => language === primary);
}
