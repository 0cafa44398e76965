/**
 * The files that pages load: named by their content, so that a browser keeps them for good, and a new one has a new
 * name. The bundle of the page that sends requests is Scalar's own (`scalar/manifest.json` says which), compressed as it is sent;
 * `make vendor-scalar` fetches another version.
 */
import { readFileSync } from 'node:fs';
import { commonStyle } from '../common-style.ts';
import { type Content, hashOf } from '../http/published.ts';

interface Asset {
  /** Where it is served. */
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
  tryStyle: asset('assets/try.css', 'try.css', css),
  try: asset('assets/try.js', 'try.js', javascript),
  signedIn: asset('assets/signed-in.js', 'signedin.js', javascript),
  scalar: asset('scalar/standalone.js.gz', 'scalar.js', javascript),
} satisfies Record<string, Asset>;

/**
 * @param file below this folder
 * @param name as it is served, before the hash is put in
 * @param before what is put before it
 */
function asset(file: string, name: string, mediaType: string, before = ''): Asset {
  const body = Buffer.concat([Buffer.from(before), readFileSync(new URL(file, import.meta.url))]);
  const path = `/docs/assets/${name.replace('.', `-${hashOf(body).slice(0, 12)}.`)}`;
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  return { path, make: () => ({ body, gzipped: file.endsWith('.gz'), media_type: mediaType, headers }) };
}
