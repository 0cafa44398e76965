/** The language of whoever reads the answer: as they have set it for themselves in this company, else as the request asks. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languageTags, requestedLanguage } from '../../contract/languages/language.ts';
import type { Trail } from './trail.ts';

export function readerLanguage({ language }: Pick<Trail, 'language'>, headers: IncomingHttpHeaders): Language {
  return language ?? requestedLanguage(headers['accept-language']);
}

/**
 * Of an answer that is in a language.
 * @param varies by what it differs beside, as `Vary` has it
 */
export function languageHeaders(language: Language, varies: string | undefined): Record<string, string> {
  const by = 'Accept-Language';
  return { 'Content-Language': languageTags[language], Vary: varies ? `${varies}, ${by}` : by };
}
