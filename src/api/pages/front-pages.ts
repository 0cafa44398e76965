/** The root of the service: a start page for people, the same as JSON for programs; the logo; and a not-found page. */
import { readFileSync } from 'node:fs';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import Negotiator from 'negotiator';
import { contract } from '../../contract/contract.ts';
import { t } from '../../contract/languages/text.ts';
import { methodNotAllowed } from '../../contract/problem.ts';
import { withoutParameters } from '../http/media-ranges.ts';
import { isUnmodified } from '../http/responses/preconditions.ts';
import { contentHandler, hashOf } from '../http/responses/published.ts';
import { taggedHeaders } from '../http/responses/tagged-headers.ts';
import { send } from './shared/page-context.ts';
import { readChoice } from './shared/page-language.ts';
import { noForm, page } from './shared/pages.ts';

const folder = new URL('./images/', import.meta.url);

const images = { '/favicon.svg': 'image/svg+xml', '/favicon.ico': 'image/x-icon' };

export function frontPages(baseUrl: string): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const only: RequestHandler = () => {
    throw methodNotAllowed(['GET', 'HEAD']);
  };
  // Browsers never send a fragment (RFC 9112, section 3.2). The router would strip it and serve the front page.
  router.use((req, _res, next) => next(req.url.includes('#') ? 'router' : undefined));
  for (const [path, mediaType] of Object.entries(images)) {
    const make = () => ({
      body: readFileSync(new URL(path.slice(1), folder)),
      media_type: mediaType,
      headers: { 'Cache-Control': 'public, max-age=86400' },
    });
    router.route(path).get(contentHandler(make)).all(only);
  }
  router
    .route('/')
    .get(readChoice(baseUrl), (req, res) => {
      res.vary('Accept');
      if (prefersHtml(req)) send(res, 200, frontPage);
      else sendIndex(req, res, baseUrl);
    })
    .all(only);
  return router;
}

/** For browsers that request an unknown path; programs get the contract's error. */
export function missingPage(baseUrl: string): RequestHandler {
  const choice = readChoice(baseUrl);
  return (req, res, next) => {
    if ((req.method !== 'GET' && req.method !== 'HEAD') || !prefersHtml(req)) return next();
    choice(req, res, () => {
      res.vary('Accept');
      send(res, 404, notFoundPage);
    });
  };
}

/** Whether the client prefers HTML: `*` alone, as programs send it, doesn't ask for a page. */
function prefersHtml(req: Request): boolean {
  const accept = withoutParameters(req.headers.accept ?? '*/*');
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

const links = [
  {
    href: '/console',
    label: t`Console`,
    text: t`View and manage people, files, webhooks, and access in a browser.`,
  },
  {
    href: '/docs/guides',
    label: t`Documentation`,
    text: t`Guides, and a reference of every operation and event that you can try out.`,
  },
  { href: '/openapi.json', label: t`Contract`, text: t`The OpenAPI document of this service.` },
  { href: '/readyz', label: t`Status`, text: t`The health of the service and its dependencies.` },
];

const tagline = t`People, their roles and their documents, for any number of companies.`;

const frontPage = page(
  '@front',
  {
    title: contract.info.title,
    lead: tagline,
    description: tagline, // the only page here that search engines should index
    places: links,
  },
  noForm,
);

const notFoundPage = page(
  '@missing',
  {
    title: t`Page not found`,
    text: [t`The address may be wrong, or the page was removed.`],
    places: links.slice(0, 2),
  },
  noForm,
);

function sendIndex(req: Request, res: Response, baseUrl: string): void {
  const body = JSON.stringify({
    name: contract.info.title,
    version: contract.info.version,
    api_url: `${baseUrl}/v1`,
    contract_url: `${baseUrl}/openapi.json`,
    documentation_url: `${baseUrl}/docs`,
    console_url: `${baseUrl}/console`,
    authorization_server_url: `${baseUrl}/.well-known/oauth-authorization-server`,
    status_url: `${baseUrl}/readyz`,
  });
  const etag = `"${hashOf(body)}"`;
  res.set({ 'Content-Type': 'application/json; charset=utf-8', ...taggedHeaders(etag, 'public, no-cache') });
  if (isUnmodified(req.headers['if-none-match'], etag)) res.status(304).end();
  else res.status(200).end(req.method === 'HEAD' ? undefined : body);
}
