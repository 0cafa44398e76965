/** Serves the public documentation. Nothing here reads a token or the database, and no page loads anything from other origins. */
import { type RequestHandler, Router } from 'express';
import { contract, contractOperations } from '../../contract/contract.ts';
import { methodNotAllowed } from '../../contract/problem.ts';
import { type Content, contentHandler } from '../http/responses/published.ts';
import { assets } from './assets.ts';
import { cliArchive, hasCli } from './cli-archive.ts';
import { contractDocuments, publicCorsHeaders } from './contract-document.ts';
import { errorIndexPage, errorPage } from './error-pages.ts';
import { guides } from './guide-list.ts';
import { guideFiles, guideIndexPage, guidePage, homePage } from './guides.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { errorCodes, eventPath, operationPath } from './markdown.ts';
import { eventPage, operationPage, referenceIndex } from './reference/pages.ts';
import { searchPage } from './search-page.ts';
import { signedInPage } from './signed-in-page.ts';

/** @param baseUrl public address of the service, without a trailing slash; used in documents and samples */
export function docsRoutes(baseUrl: string): Router {
  const router = Router({ caseSensitive: true });
  const publish = (path: string, make: () => Content) => {
    // Express serves HEAD with the GET handler.
    router
      .route(path)
      .get(contentHandler(make))
      .all(only(['GET', 'HEAD']));
  };
  for (const [name, make] of Object.entries(contractDocuments(baseUrl))) {
    const route = router.route(`/${name}`);
    route
      .get(contentHandler(make))
      .options(preflight)
      .all(only(['GET', 'HEAD', 'OPTIONS']));
  }
  publish('/docs', homePage);
  publish('/docs/reference', referenceIndex);
  for (const { operation } of contractOperations) {
    publish(operationPath(operation), () => operationPage(operation.operationId, baseUrl));
  }
  for (const event of Object.keys(contract.webhooks)) publish(eventPath(event), () => eventPage(event));
  // Its former place; browsers keep the fragment, which names the operation.
  router.get('/docs/try', (_req, res) => res.redirect(308, '/docs/reference'));
  publish('/docs/signed-in', signedInPage);
  publish('/docs/guides', () => guideIndexPage(baseUrl));
  for (const { name } of guides) publish(`/docs/guides/${name}`, () => guidePage(name, baseUrl));
  for (const [path, make] of Object.entries(guideFiles)) publish(path, make);
  for (const { name } of guides) {
    // Redirects from guessed and former paths.
    const path = `/docs/${name}`;
    if (name !== 'errors') router.get(path, (_req, res) => res.redirect(308, `/docs/guides/${name}`));
  }
  publish('/docs/errors', errorIndexPage);
  for (const code of errorCodes()) publish(`/docs/errors/${code}`, () => errorPage(code));
  router
    .route('/docs/search')
    .get((req, res, next) => contentHandler(() => searchPage(req.query.q))(req, res, next))
    .all(only(['GET', 'HEAD']));
  for (const { path, make } of Object.values(assets)) publish(path, make);
  if (hasCli) {
    publish('/cli.tgz', () => ({
      body: cliArchive(),
      media_type: 'application/gzip',
      headers: { 'Cache-Control': 'public, no-cache' },
    }));
  }
  publish('/llms.txt', () => llmsText(baseUrl));
  publish('/llms-full.txt', () => llmsFullText(baseUrl));
  return router;
}

/** Browsers send a preflight when a page of another origin sends `If-None-Match`. */
const preflight: RequestHandler = (_req, res) => {
  res.set({
    ...publicCorsHeaders,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': 'If-None-Match',
    'Access-Control-Max-Age': '86400',
  });
  res.status(204).end();
};

function only(methods: string[]): RequestHandler {
  return () => {
    throw methodNotAllowed(methods);
  };
}
