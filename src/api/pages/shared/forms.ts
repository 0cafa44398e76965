/**
 * Reads forms of our pages with a size limit, and only with our own origin and a CSRF token, which is bound to the interaction or
 * a browser cookie.
 */
import { createHmac } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { emailForm } from '../../../contract/texts/email.ts';
import { oneLine, withoutRefused } from '../../../contract/texts/one-line.ts';
import { deriveKey, type EncryptionKeys, newSecret, sameSecret } from '../../../platform/secrets/secrets.ts';
import { requireUtf8Form } from '../../http/body/utf8.ts';

const maxFormBytes = 64 * 1024;

export const readForm: RequestHandler = express.urlencoded({
  extended: false,
  limit: maxFormBytes,
  verify(_req, _res, bytes) {
    try {
      requireUtf8Form(bytes);
    } catch {
      throw new RefusedForm(400);
    }
  },
});

export interface FormGuard {
  token(purpose: string): string;
  /** The token for this browser and path; sets the browser's cookie. */
  browserToken(req: Request, res: Response): string;
  /** @throws 403 unless the form comes from our own page with the token of `purpose` */
  check(req: Request, purpose: string): void;
  /**
   * Like `check`, with a token of `browserToken`. Pages with a secret in their URL send no referrer, so their forms may hide the
   * origin, if the browser reports the same site.
   */
  checkBrowser(req: Request): void;
}

/** @param baseUrl public address of the service: the origin of forms; https makes cookies secure */
export function createFormGuard(encryptionKeys: EncryptionKeys, baseUrl: string): FormGuard {
  const keys = encryptionKeys.map((key) => deriveKey(key, 'oauth-forms'));
  const { origin, protocol } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const cookie = secure ? '__Host-form' : 'oauth_form';

  /** The first is used for new pages; the others accept pages from before a key rotation. */
  const tokens = (purpose: string) =>
    keys.map((key) => createHmac('sha256', key).update(purpose).digest('base64url')) as [string, ...string[]];
  const purposeOf = (secret: string, req: Request) => `browser\n${secret}\n${req.path}`;
  const check = (req: Request, purpose: string, mayHide = false) => {
    const { origin: sender, 'sec-fetch-site': site } = req.headers;
    const hidden = mayHide && sender === 'null' && site === 'same-origin';
    const foreign = (sender && sender !== origin && !hidden) || (site && site !== 'same-origin');
    const sent = Buffer.from(field(req, 'csrf_token'));
    if (foreign || !tokens(purpose).some((token) => sameSecret(sent, Buffer.from(token)))) throw new RefusedForm();
  };
  return {
    token: (purpose) => tokens(purpose)[0],
    check: (req, purpose) => check(req, purpose),
    browserToken(req, res) {
      const secret = cookieOf(req, cookie) ?? newSecret();
      res.cookie(cookie, secret, { httpOnly: true, sameSite: 'lax', secure, path: '/' });
      return tokens(purposeOf(secret, req))[0];
    },
    checkBrowser(req) {
      const secret = cookieOf(req, cookie);
      if (!secret) throw new RefusedForm();
      check(req, purposeOf(secret, req), true);
    },
  };
}

class RefusedForm extends Error {
  override name = 'RefusedForm';
  readonly status: number;

  constructor(status = 403) {
    super();
    this.status = status;
  }
}

export function field(req: Request, name: string): string {
  return fields(req, name)[0] ?? '';
}

/** A name without unwanted pasted characters. */
export function nameField(req: Request, name: string): string {
  return oneLine(withoutRefused(field(req, name)));
}

/** An address in its stored form. Postgres rejects NUL in texts. */
export function emailField(req: Request, name: string): string {
  return emailForm(field(req, name).replaceAll('\0', ''));
}

export function fields(req: Request, name: string): string[] {
  const value = (req.body as Record<string, string | string[]> | undefined)?.[name];
  return value === undefined ? [] : [value].flat();
}

export function cookieOf(req: Request, name: string): string | undefined {
  for (const pair of req.headers.cookie?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=');
    if (key === name && /^[\w-]{1,128}$/.test(value)) return value;
  }
  return undefined;
}
