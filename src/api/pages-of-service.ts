/** What the service shows beside the API: the console, the docs, its front page, and a page for what is not there. */
import express, { type Router } from 'express';
import { consoleRoutes } from './console/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { frontPages, missingPage } from './pages/front-pages.ts';

/** @param base_url public address of the service */
export function pagesOfService(baseUrl: string): Router {
  const router = express.Router();
  router.use(consoleRoutes(baseUrl));
  router.use(docsRoutes(baseUrl));
  router.use(frontPages(baseUrl));
  router.use(missingPage(baseUrl));
  return router;
}
