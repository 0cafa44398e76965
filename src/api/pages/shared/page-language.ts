/**
 * The language of a page: what was chosen at its foot in this browser, else what the person has set for themselves, as soon as
 * the page knows who they are, else what the app asked for (`ui_locales`, OpenID Connect Core 1.0, section 3.1.2.1), else what
 * the browser asks for.
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

/** What is looked at of `ui_locales`. */
const mostLocales = 20;

/** Each in itself, so that whoever reads nothing else finds it. */
const names: Readonly<Record<Language, string>> = { en: 'English', pt: 'Português', es: 'Español' };

/** Of one request. */
interface Wishes {
  chosen?: Language | undefined;
  own?: Language | undefined;
  app?: Language | undefined;
}

/** A language, and the same page in it. */
interface LanguageLink {
  tag: string;
  name: string;
  href: string;
  current: boolean;
}

/** How a page is said. */
export interface Speech {
  language: Language;
  /** The same page in each language, for an address that can be opened again. */
  links: LanguageLink[];
}

/**
 * Reads what was chosen, and keeps it for as long as the browser is open: it is stronger than what a person has set, and the
 * next one at the same browser may be somebody else.
 */
export function readChoice(baseUrl: string): RequestHandler {
  const secure = baseUrl.startsWith('https:');
  const cookie = secure ? '__Host-language' : 'oauth_language';
  return (req, res, next) => {
    const { lang, ui_locales: uiLocales } = req.method === 'GET' ? req.query : {};
    const chosen = languageOfLocale(textOf(lang));
    if (chosen) res.cookie(cookie, chosen, { httpOnly: true, sameSite: 'lax', secure, path: '/' });
    const wishes = wishesOf(res);
    wishes.chosen = chosen ?? languageOfLocale(cookieOf(req, cookie));
    wishes.app = languageOfLocales(uiLocales);
    next();
  };
}

/** For a page that has found out who reads it. */
export function setOwnLanguage(res: Response, language: Language | undefined): void {
  wishesOf(res).own = language;
}

/** @param ui_locales of the authorization request that a page belongs to */
export function setAppLanguage(res: Response, uiLocales: unknown): void {
  wishesOf(res).app ??= languageOfLocales(uiLocales);
}

/** @param res of express, which knows its request */
export function languageOfPage(res: ServerResponse): Language {
  const { req } = res as Response;
  const { chosen, own, app } = wishesOf(res as Response);
  return chosen ?? own ?? app ?? requestedLanguage(req.headers['accept-language']);
}

/** For a page whose address works once. */
export function opensOnce(res: Response): void {
  res.locals.isOnce = true;
}

/**
 * @param res of express, which knows its request
 * @param hasForm whether the page can be opened again where it is; what a form has led to can not
 */
export function speechOf(res: ServerResponse, hasForm: boolean): Speech {
  const { req } = res as Response;
  const language = languageOfPage(res);
  const canOpen = (hasForm || req.method === 'GET') && (res as Response).locals.isOnce !== true;
  const links = canOpen ? linksOf(req, language) : [];
  return { language, links };
}

/** The address keeps what else it says. */
function linksOf({ originalUrl, method }: Request, current: Language): LanguageLink[] {
  const at = originalUrl.indexOf('?');
  const query = new URLSearchParams(at < 0 || method !== 'GET' ? '' : originalUrl.slice(at));
  return (Object.keys(names) as Language[]).map((language) => {
    const tag = languageTags[language];
    query.set('lang', tag);
    return { tag, name: names[language], href: `?${query}`, current: language === current };
  });
}

/** The first that there is of a list, the best of which comes first. */
function languageOfLocales(uiLocales: unknown): Language | undefined {
  const locales = textOf(uiLocales)?.split(' ', mostLocales) ?? [];
  return locales.map(languageOfLocale).find(Boolean);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function wishesOf(res: Response): Wishes {
  res.locals.wishes ??= {};
  return res.locals.wishes as Wishes;
}
