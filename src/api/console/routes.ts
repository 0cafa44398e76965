/**
 * Serves the build of `packages/console` at `/console`. Hashed files in `assets/` are cached forever; every other path returns
 * the single page. Nothing here reads a token or the database: the page calls the API like any client.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { t } from '../../contract/languages/text.ts';
import { methodNotAllowed, notFound, Problem } from '../../contract/problem.ts';
import { type Content, contentHandler } from '../http/responses/published.ts';

const buildFolder = fileURLToPath(new URL('../../../packages/console/dist/', import.meta.url));

/** Own origin only, no inline scripts or styles, no framing, no forms to other origins. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'", // document previews; our pages forbid framing
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mediaTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * @param baseUrl public address of the service, without a trailing slash; the page signs in there
 * @param folder of the build; without it, the console reports that it isn't installed
 */
export function consoleRoutes(baseUrl: string, folder = buildFolder): Router {
  const router = Router({ caseSensitive: true });
  if (existsSync(join(folder, 'index.html'))) {
    for (const name of readdirSync(join(folder, 'assets'))) {
      const mediaType = mediaTypes[name.split('.').at(-1)!];
      if (mediaType)
        router.get(
          `/console/assets/${name}`,
          contentHandler(() => asset(join(folder, 'assets', name), mediaType)),
        );
    }
    router.get('/console/assets/*name', () => {
      throw notFound();
    });
    const page = contentHandler(() => index(join(folder, 'index.html'), baseUrl));
    router.get(['/console', '/console/*path'], page);
  } else {
    router.get(['/console', '/console/*path'], () => {
      throw new Problem(404, 'not_found', t`The console is not part of this installation.`);
    });
  }
  router.all(['/console', '/console/*path'], () => {
    throw methodNotAllowed(['GET', 'HEAD']);
  });
  return router;
}

function asset(path: string, mediaType: string): Content {
  const brotliPath = `${path}.br`;
  return {
    body: readFileSync(path),
    brotli: existsSync(brotliPath) ? readFileSync(brotliPath) : undefined,
    media_type: mediaType,
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
  };
}

function index(path: string, baseUrl: string): Content {
  return {
    body: readFileSync(path, 'utf8').replace(
      '%SERVICE_URL%',
      baseUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    ),
    media_type: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy,
      // The URL may contain filters.
      'Referrer-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
    },
  };
}
