/**
 * What is published beside the API, for people and generators: the contract, the reference page, the guides, a page for
 * each error code, and the same as plain text for language models. Nothing here reads a token or the database, and no
 * page loads anything from elsewhere.
 */
import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../../contract/problem.ts';
import { assets } from './assets.ts';
import { contractDocuments, readable_anywhere } from './contract-document.ts';
import { errorIndexPage, errorPage } from './error-pages.ts';
import { guideFiles, guideIndexPage, guidePage, guides } from './guides.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { errorCodes } from './markdown.ts';
import { referencePage, signedInPage } from './reference.ts';
import { type Content, published } from './resource.ts';

/** @param base_url public address of the service, without a trailing slash: it stands in documents and samples */
export function docsRoutes(base_url: string): Router {
  const router = Router({ caseSensitive: true });
  const publish = (path: string, make: () => Content) => {
    // Express answers HEAD by the handler of GET.
    router
      .route(path)
      .get(published(make))
      .all(only(['GET', 'HEAD']));
  };
  for (const [name, make] of Object.entries(contractDocuments(base_url))) {
    const route = router.route(`/${name}`);
    route
      .get(published(make))
      .options(preflight)
      .all(only(['GET', 'HEAD', 'OPTIONS']));
  }
  publish('/docs', () => referencePage(base_url));
  publish('/docs/signed-in', signedInPage);
  publish('/docs/guides', () => guideIndexPage(base_url));
  for (const { name } of guides) publish(`/docs/guides/${name}`, () => guidePage(name, base_url));
  for (const [path, make] of Object.entries(guideFiles)) publish(path, make);
  publish('/docs/errors', errorIndexPage);
  for (const code of errorCodes()) publish(`/docs/errors/${code}`, () => errorPage(code));
  for (const { path, make } of Object.values(assets)) publish(path, make);
  publish('/llms.txt', () => llmsText(base_url));
  publish('/llms-full.txt', () => llmsFullText(base_url));
  return router;
}

/** A browser asks first when a page of another origin sends `If-None-Match`. */
const preflight: RequestHandler = (_req, res) => {
  res.set({
    ...readable_anywhere,
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
