/** The language of the reader of a response: their own setting in this company, else that of the request. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languageTags, requestedLanguage } from '../../../contract/languages/language.ts';
import type { RequestLog } from '../observe/request-log.ts';

export function readerLanguage({ language }: Pick<RequestLog, 'language'>, headers: IncomingHttpHeaders): Language {
  return language ?? requestedLanguage(headers['accept-language']);
}

/** Headers of a localized response. @param varies other request headers it depends on, as in `Vary` */
export function languageHeaders(language: Language, varies: string | undefined): Record<string, string> {
  const header = 'Accept-Language';
  return { 'Content-Language': languageTags[language], Vary: varies ? `${varies}, ${header}` : header };
}
