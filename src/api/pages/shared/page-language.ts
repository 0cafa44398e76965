/**
 * The language of a page: the choice in the footer, else the person's setting once known, else what the app requests
 * (`ui_locales`, OpenID Connect Core 1.0, section 3.1.2.1), else what the browser requests.
 */
import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import {
  type Language,
  languageOfLocale,
  languageTags,
  requestedLanguage,
} from '../../../contract/languages/language.ts';
import { cookieOf } from './forms.ts';

const maxLocales = 20;

/** Each in its own language, so that readers recognize it. */
const names: Readonly<Record<Language, string>> = { en: 'English', pt: 'Português', es: 'Español' };

interface LanguagePreferences {
  chosen?: Language | undefined;
  own?: Language | undefined;
  app?: Language | undefined;
}

interface LanguageLink {
  tag: string;
  name: string;
  href: string;
  current: boolean;
}

export interface PageLanguage {
  language: Language;
  /** Links to the page in each language, if its URL can be opened again. */
  links: LanguageLink[];
}

/** Keeps the choice for the browser session only: it overrides a person's setting, and the next person may be someone else. */
export function readChoice(baseUrl: string): RequestHandler {
  const secure = baseUrl.startsWith('https:');
  const cookie = secure ? '__Host-language' : 'oauth_language';
  return (req, res, next) => {
    const { lang, ui_locales: uiLocales } = req.method === 'GET' ? req.query : {};
    const chosen = languageOfLocale(textOf(lang));
    if (chosen) res.cookie(cookie, chosen, { httpOnly: true, sameSite: 'lax', secure, path: '/' });
    const preferences = preferencesOf(res);
    preferences.chosen = chosen ?? languageOfLocale(cookieOf(req, cookie));
    preferences.app = languageOfLocales(uiLocales);
    next();
  };
}

export function setOwnLanguage(res: Response, language: Language | undefined): void {
  preferencesOf(res).own = language;
}

/** @param uiLocales of the page's authorization request */
export function setAppLanguage(res: Response, uiLocales: unknown): void {
  preferencesOf(res).app ??= languageOfLocales(uiLocales);
}

/** @param res express's response, which knows its request */
export function languageOfPage(res: ServerResponse): Language {
  const { req } = res as Response;
  const { chosen, own, app } = preferencesOf(res as Response);
  return chosen ?? own ?? app ?? requestedLanguage(req.headers['accept-language']);
}

export function markSingleUse(res: Response): void {
  res.locals.isSingleUse = true;
}

/** @param hasForm whether the page can be opened again at its URL, unlike the result of a form */
export function pageLanguageOf(res: ServerResponse, hasForm: boolean): PageLanguage {
  const { req } = res as Response;
  const language = languageOfPage(res);
  const canOpen = (hasForm || req.method === 'GET') && (res as Response).locals.isSingleUse !== true;
  const links = canOpen ? linksOf(req, language) : [];
  return { language, links };
}

function linksOf({ originalUrl, method }: Request, current: Language): LanguageLink[] {
  const at = originalUrl.indexOf('?');
  const query = new URLSearchParams(at < 0 || method !== 'GET' ? '' : originalUrl.slice(at));
  return (Object.keys(names) as Language[]).map((language) => {
    const tag = languageTags[language];
    query.set('lang', tag);
    return { tag, name: names[language], href: `?${query}`, current: language === current };
  });
}

/** The first supported language of a list in order of preference. */
function languageOfLocales(uiLocales: unknown): Language | undefined {
  const locales = textOf(uiLocales)?.split(' ', maxLocales) ?? [];
  return locales.map(languageOfLocale).find(Boolean);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function preferencesOf(res: Response): LanguagePreferences {
  res.locals.languagePreferences ??= {};
  return res.locals.languagePreferences as LanguagePreferences;
}
