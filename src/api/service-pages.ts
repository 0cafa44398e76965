import express, { type Router } from 'express';
import { consoleRoutes } from './console/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import { frontPages, missingPage } from './pages/front-pages.ts';

export function servicePages(baseUrl: string): Router {
  const router = express.Router();
  router.use(consoleRoutes(baseUrl));
  router.use(docsRoutes(baseUrl));
  router.use(frontPages(baseUrl));
  router.use(missingPage(baseUrl));
  return router;
}
