/** What the service shows beside the API: the console, the docs, its front page, and a page for what is not there. */
import express, { type Router } from 'express';
import { consoleRoutes } from './console/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { frontPages, missingPage } from './pages/front-pages.ts';

/** @param base_url public address of the service */
export function pagesOfService(base_url: string): Router {
  const router = express.Router();
  router.use(consoleRoutes(base_url));
  router.use(docsRoutes(base_url));
  router.use(frontPages(base_url));
  router.use(missingPage(base_url));
  return router;
}
