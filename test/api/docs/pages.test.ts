/** The pages around the reference: guides, error codes, and texts for machines, with their headers and links. */
import { readdir } from 'node:fs/promises';
import type { Response } from 'supertest';
import { guides } from '../../../src/api/docs/guide-list.ts';
import { editLink } from '../../../src/api/docs/guides.ts';
import { samplesOf } from '../../../src/api/docs/reference/samples.ts';
import { contract, contractOperations } from '../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

afterAll(() => app?.close());

const codes = contract.components.schemas.ErrorCode!.enum as string[];
const errorPaths = codes.map((code) => `/docs/errors/${code}`);
const guidePaths = ['/docs/guides', ...guides.map(({ name }) => `/docs/guides/${name}`)];
const operationPaths = contractOperations.map(({ operation }) => `/docs/operations/${operation.operationId}`);
const eventPaths = Object.keys(contract.webhooks).map((event) => `/docs/events/${event}`);
const referencePaths = ['/docs/reference', ...operationPaths, ...eventPaths];
const paths = [
  '/docs',
  ...referencePaths,
  '/docs/signed-in',
  '/docs/search?q=secret',
  '/docs/errors',
  ...guidePaths,
  ...errorPaths,
];

/** Responses by path: each page is loaded once. */
const responses = new Map<string, Promise<Response>>();
const responseOf = (path: string): Promise<Response> => {
  if (!responses.has(path))
    responses.set(
      path,
      app.anon
        .get(path)
        .buffer(true)
        .then((response) => response),
    );
  return responses.get(path)!;
};
const pageOf = async (path: string): Promise<string> => (await responseOf(path)).text ?? '';
const idsOf = (html: string) => [...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!);
const linksOf = (html: string) =>
  [...html.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));

test.each(paths)('%s works and loads nothing from other origins', async (path) => {
  const { status, headers, text } = await responseOf(path);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('public, no-cache, no-transform');
  expect(headers.etag).toMatch(/^"[\w-]+"$/);
  const policy = Object.fromEntries(
    headers['content-security-policy']!.split('; ').map((directive) => {
      const [name, ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  });
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/assets\/)/);
  expect(text).not.toMatch(/ (style|on\w+)=/);
  expect(new Set(idsOf(text)).size).toBe(idsOf(text).length);
});

test('a page that hasn’t changed isn’t sent again', async () => {
  for (const path of ['/docs', '/docs/reference', guidePaths[1]!, errorPaths[0]!]) {
    const { headers } = await responseOf(path);
    await app.anon.get(path).set('If-None-Match', headers.etag!).expect(304);
  }
});

/** Anchors of old links. */
const oldAnchors = [
  ...contractOperations.map(({ operation }) => `tag/${operation.tags[0]}/${operation.operationId}`),
  ...Object.keys(contract.webhooks).map((event) => `tag/events/webhook/${event}`),
];

test('every link has a target, as crawlers require', async () => {
  for (const path of paths) {
    const links = (await pageOf(path)).match(/<a\b[^>]*>/g)!;
    expect([path, links.filter((link) => !/ href="[^"]/.test(link))]).toEqual([path, []]);
  }
});

test('every link has a name', async () => {
  for (const path of paths) {
    expect([path, (await pageOf(path)).match(/<a\b[^>]*>\s*<\/?a\b/g)]).toEqual([path, null]);
  }
});

test('every internal link and its anchor resolve', async () => {
  const anchors = new Map<string, Set<string> | undefined>();
  const anchorsOf = async (path: string) => {
    if (!anchors.has(path)) {
      const { status, text } = await responseOf(path);
      anchors.set(path, status === 200 ? new Set(idsOf(text ?? '')) : undefined);
    }
    return anchors.get(path);
  };
  const dead: string[] = [];
  let followed = 0;
  for (const path of paths) {
    for (const link of new Set(linksOf(await pageOf(path)))) {
      const { origin, pathname, hash } = new URL(link, `${app.base_url}${path}`);
      if (origin !== app.base_url) continue;
      followed += 1;
      const found = await anchorsOf(pathname);
      if (!found || (hash && !found.has(decodeURIComponent(hash.slice(1))))) dead.push(`${path} → ${link}`);
    }
  }
  expect(dead).toEqual([]);
  expect(followed).toBeGreaterThan(500);
});

test('every guide links to the others and marks itself', async () => {
  for (const path of guidePaths) {
    const html = await pageOf(path);
    for (const other of [...guidePaths, '/docs', '/docs/reference', '/docs/errors'])
      expect(linksOf(html)).toContain(other);
    expect(html).toContain(`<a href="${path}" aria-current="page">`);
  }
});

describe('reference', () => {
  test('lists every operation and event on the first page, where old links find them', async () => {
    const html = await pageOf('/docs/reference');
    expect(linksOf(html)).toEqual(expect.arrayContaining([...operationPaths, ...eventPaths]));
    expect(idsOf(html)).toEqual(expect.arrayContaining(oldAnchors));
  });

  test('is small and complete without scripts', async () => {
    const texts = await Promise.all(referencePaths.map(pageOf));
    for (const text of texts) expect(text).toMatch(/<h1>[^<]{4,}<\/h1>/);
    const longest = texts.reduce((one, other) => (other.length > one.length ? other : one));
    const loaded = linksOf(longest).filter((link) => link.startsWith('/docs/assets/'));
    const sizes = await Promise.all([referencePaths[texts.indexOf(longest)]!, ...loaded].map(packedSize));
    expect(loaded.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });

  test('shows an operation’s nested fields, examples, and error codes', async () => {
    const html = await pageOf('/docs/operations/createCollaborator');
    for (const field of ['X-Company-Id', 'Idempotency-Key', 'email', 'emergency_contact.phone', 'restricted_fields']) {
      expect(html).toContain(`<dt><code>${field}</code>`);
    }
    expect(html).toContain('href="/docs/errors/validation_error"');
    expect(html).toContain('<code>collaborators:write</code>');
    expect(html).toContain('href="#try"');
    const sample = /<code>(curl[\s\S]*?)<\/code>/.exec(html)![1]!.replace(/<[^>]+>/g, '');
    expect(sample).toContain(`${app.base_url}/v1/collaborators`);
    expect(sample).toContain('X-Company-Id: $COMPANY_ID');
    for (const language of ['Shell', 'TypeScript', 'Python', 'PHP', 'Go']) {
      expect(html).toContain(`<figcaption>${language}</figcaption>`);
    }
  });

  test('samples send what the contract shows: the same company, path, and body in each language', () => {
    for (const { method, path, operation } of contractOperations) {
      const html = samplesOf('https://api.example', method, path, operation);
      const codes = [...html.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, code]) => textOf(code!));
      expect(codes).toHaveLength(5);
      const parameters = (operation.parameters ?? []) as { name?: string; required?: boolean }[];
      const needsCompany = parameters.some(({ name, required }) => name === 'X-Company-Id' && required);
      for (const code of codes) {
        expect(code).toContain('https://api.example/');
        expect(code).not.toMatch(/undefined|\[object/);
        expect(code.includes('X-Company-Id')).toBe(needsCompany);
        expect(code.includes('Authorization')).toBe(operation.security.length > 0);
      }
    }
  });

  test('shows an event’s fields and an example', async () => {
    const html = await pageOf('/docs/events/collaborator.created');
    expect(html).toContain('<dt><code>data.data.email</code>');
    expect(html).toContain('&quot;collaborator.created&quot;');
  });
});

function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

async function packedSize(path: string): Promise<number> {
  const { headers } = await app.anon.get(path).set('Accept-Encoding', 'br').buffer(false);
  return Number(headers['content-length']);
}

test('a guide’s URL without its folder redirects to it', async () => {
  for (const name of ['webhooks', 'authentication', 'settings']) {
    const { status, headers } = await app.anon.get(`/docs/${name}`);
    expect({ status, location: headers.location }).toEqual({ status: 308, location: `/docs/guides/${name}` });
  }
});

test('the former page for trying requests redirects to the reference', async () => {
  const { status, headers } = await app.anon.get('/docs/try?for=people');
  expect({ status, location: headers.location }).toEqual({ status: 308, location: '/docs/reference' });
});

test.each([
  ['git+https://code.example/team/people.git', 'https://code.example/team/people/edit/HEAD/docs/guides/import.md'],
  ['https://code.example/team/people', 'https://code.example/team/people/edit/HEAD/docs/guides/import.md'],
  ['git@code.example:team/people.git', undefined],
  [undefined, undefined],
])('links to edit a guide in the repository %s', (url, link) => {
  expect(editLink(url, 'guides/import.md')).toBe(link);
});

test('samples use the base URL of this service', async () => {
  const html = await pageOf('/docs/guides');
  expect(html).toContain(`BASE_URL=${app.base_url}`);
});

describe('error codes', () => {
  test('each has a page, and each page has a code', async () => {
    const files = await readdir(new URL('../../../docs/errors/', import.meta.url));
    expect(files.sort()).toEqual(codes.map((code) => `${code}.md`).sort());
  });

  test.each(codes)('%s shows status, cause, fix, and a response', async (code) => {
    const html = await pageOf(`/docs/errors/${code}`);
    expect(html).toMatch(new RegExp(`<span class="status"[^>]*>\\d{3}</span> <code>${code}</code>`));
    expect(html).toMatch(/<h1>[^<]{10,}<\/h1>\s*<p>[\s\S]{60,}?<h2 id="what-to-do">/);
    expect(html).toMatch(/<h2 id="what-the-response-looks-like">/);
    const samples = [...html.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, sample]) =>
      JSON.parse(
        sample!
          .replace(/<[^>]+>/g, '')
          .replaceAll('&quot;', '"')
          .replaceAll('&#x27;', "'")
          .replaceAll('&amp;', '&'),
      ),
    );
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) expect(sample).toMatchObject({ error: code, message: expect.any(String) });
  });

  test('the list has all of them', async () => {
    expect(linksOf(await pageOf('/docs/errors'))).toEqual(expect.arrayContaining(errorPaths));
  });

  test('an unknown code returns 404', async () => {
    expect((await app.anon.get('/docs/errors/teapot')).status).toBe(404);
    expect((await app.anon.get('/docs/errors/..%2Fguides')).status).toBe(404);
  });
});

test('llms.txt is an index, and llms-full.txt has everything', async () => {
  const { text, headers } = await app.anon.get('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Collaborator Management API\n\n> /);
  const listed = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(link!));
  for (const { origin } of listed) expect(origin).toBe(app.base_url);
  const linked = listed.map(({ pathname }) => pathname);
  expect(linked).toEqual(expect.arrayContaining(['/openapi.json', '/llms-full.txt', ...guidePaths, ...errorPaths]));
  const { text: full } = await app.anon.get('/llms-full.txt');
  for (const { operation } of contractOperations) {
    expect(text).toContain(`[${operation.operationId}](`);
    expect(full).toContain(`### ${operation.operationId}: `);
  }
});

test('assets are cached forever under names with a hash', async () => {
  const assets = new Set(
    (await Promise.all(['/docs', '/docs/reference', '/docs/operations/getStatus', '/docs/guides'].map(pageOf))).flatMap(
      linksOf,
    ),
  );
  const files = [...assets].filter((link) => link.startsWith('/docs/assets/'));
  expect(files).toHaveLength(6);
  for (const file of files) {
    expect(file).toMatch(/^\/docs\/assets\/[a-z]+-[\w-]{12}\.(css|js)$/);
    const { status, headers } = await app.anon.get(file).buffer(true);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable, no-transform');
    expect(headers['content-type']).toMatch(/^text\/(css|javascript); charset=utf-8$/);
  }
});

test('doesn’t affect unknown paths: 401 below /v1, and 404 elsewhere', async () => {
  expect((await app.anon.get('/v1/docs')).status).toBe(401);
  expect((await app.anon.get('/docs/nothing')).body).toEqual({ error: 'not_found', message: expect.any(String) });
});
