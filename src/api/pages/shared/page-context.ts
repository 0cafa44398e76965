/** The context of all pages, and functions that send their HTML. */
import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { type Text, t } from '../../../contract/languages/text.ts';
import { toProblem } from '../../../contract/problem.ts';
import type { PageOrigins } from '../../../identity/clients/page-origins.ts';
import type { ResetQueue } from '../../../identity/passwords/password-resets.ts';
import type { Limits } from '../../../identity/users/sign-in-limits.ts';
import { type Origin, originOf } from '../../../platform/audit/entry.ts';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { EncryptionKeys } from '../../../platform/secrets/secrets.ts';
import type { InstallationLinks } from '../../../product/connections/installation-links.ts';
import type { AddressLinks } from '../../../product/sign-in-address/address-links.ts';
import type { OwnAddressLinks } from '../../../product/sign-in-address/own-address.ts';
import type { IdentityProviders } from '../../../product/sign-in-connections/provider.ts';
import type { SignInSettings } from '../../../product/sign-in-connections/sign-in-settings.ts';
import type { DeviceCookies } from './device-cookies.ts';
import type { FormGuard } from './forms.ts';
import { pageLanguageOf } from './page-language.ts';
import { errorPage, type Page } from './pages.ts';
import type { Factors } from './passkey-forms.ts';
import type { Proofs } from './proofs.ts';

export interface PageContext {
  /** The current provider; a new signing key replaces it. */
  provider(): Provider;
  origins: PageOrigins;
  base_url: string;
  app_url: string | undefined;
  db: Database;
  mail: MailQueue;
  encryption_keys: EncryptionKeys;
  resets: ResetQueue;
  addressLinks: AddressLinks;
  ownAddressLinks: OwnAddressLinks;
  installationLinks: InstallationLinks;
  limits: Limits;
  devices: DeviceCookies;
  forms: FormGuard;
  factors: Factors;
  proofs: Proofs;
  signIn: SignInSettings;
  providers: IdentityProviders;
  log: Logger | undefined;
}

export function send(res: Response, status: number, page: Page): void {
  const { html, headers } = page.render(pageLanguageOf(res, page.hasForm));
  res.status(status).vary('Accept-Language').set(headers).send(html);
}

/** For responses that the library sends. @param res express's response, which knows its request */
export function errorPageOf(res: ServerResponse, notice: Parameters<typeof errorPage>[0]) {
  const page = errorPage(notice);
  const { html, headers } = page.render(pageLanguageOf(res, page.hasForm));
  return { html, headers: { ...headers, Vary: 'Accept-Language' } };
}

export function failurePage(log: Logger | undefined, advice: Text): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
    if (error instanceof errors.SessionNotFound) {
      return send(res, status, errorPage({ title: t`This page has expired`, advice, code: 'expired' }));
    }
    if (status >= 400 && status < 500) {
      return send(res, status, errorPage({ title: t`This form was not accepted`, advice, code: 'refused' }));
    }
    const cause = error instanceof errors.TemporarilyUnavailable ? error.cause : error;
    const { status: responseStatus, code, text, headers } = toProblem(cause);
    log?.error({ err: cause }, 'page failed');
    send(res.set(headers), responseStatus, errorPage({ title: t`Something went wrong`, advice: text, code }));
  };
}

/** @param res express's response; oidc-provider may pass a stand-in request */
export function responseOrigin(res: ServerResponse): Origin {
  return originOfPage((res as Response).req, res as Response);
}

export function originOfPage(req: Request, res: Response): Origin {
  const { requestLog } = res.locals as { requestLog?: { request_id: string } };
  return originOf(req, requestLog?.request_id);
}
