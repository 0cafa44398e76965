/** Static assets of the pages. Their names contain a content hash, so browsers cache them forever. */
import { readFileSync } from 'node:fs';
import { commonStyle } from '../common-style.ts';
import { type Content, hashOf } from '../http/responses/published.ts';

interface Asset {
  path: string;
  make(): Content;
}

const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

export const assets = {
  style: asset('assets/style.css', 'style.css', css, commonStyle),
  page: asset('assets/page.js', 'page.js', javascript),
  referenceStyle: asset('assets/reference.css', 'reference.css', css),
  moved: asset('assets/moved.js', 'moved.js', javascript),
  reference: asset('assets/reference.js', 'reference.js', javascript),
  request: asset('assets/request.js', 'request.js', javascript),
  signedIn: asset('assets/signed-in.js', 'signedin.js', javascript),
} satisfies Record<string, Asset>;

/**
 * @param file below this folder
 * @param name public name, before the hash is inserted
 * @param before content to prepend
 */
function asset(file: string, name: string, mediaType: string, before = ''): Asset {
  const body = Buffer.concat([Buffer.from(before), readFileSync(new URL(file, import.meta.url))]);
  const path = `/docs/assets/${name.replace('.', `-${hashOf(body).slice(0, 12)}.`)}`;
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { path, make: () => ({ body, media_type: mediaType, headers }) };
}
