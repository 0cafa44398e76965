/** The guides: Markdown files of `docs/`, which are also readable in the repository, rendered as pages. */
import { readFileSync } from 'node:fs';
import type { Content } from '../http/responses/published.ts';
import { cliIntegrity, hasCli } from './cli-archive.ts';
import { type Guide, groups, guides } from './guide-list.ts';
import { type Rendered, render } from './markdown.ts';
import { page } from './page.ts';

const docs = new URL('../../../docs/', import.meta.url);

/** The service address in the guides; `make run` listens there. */
const addressInSources = 'http://127.0.0.1:8080';

/** The placeholder in the guides for the package's integrity hash, which only a running service knows. */
const integrityInSources = 'sha512-…';

const postmanCollection = '/docs/guides/postman/collection.json';

/** Folders whose pages link to unpublished files. A test of the repository checks those links. */
const repositoryFolders = new Set(['', 'operations/']);

const samples = ['verify.ts', 'verify-body.ts', 'verify.py', 'verify.php', 'verify.go', 'verify.sh'];

export const guideFiles: Record<string, () => Content> = {
  ...Object.fromEntries(
    samples.map((name) => [
      `/docs/guides/webhooks/${name}`,
      () => file(`webhooks/${name}`, 'text/plain; charset=utf-8'),
    ]),
  ),
  [postmanCollection]: () => file('guides/postman/collection.json', 'application/json'),
};

function file(source: string, mediaType: string): Content {
  return {
    body: readFileSync(new URL(source, docs)),
    media_type: mediaType,
    headers: { 'Cache-Control': 'public, no-cache' },
  };
}

/** The repository for edit links, from package.json, which forks change. */
const { repository } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  repository?: { url: string };
};

/**
 * @param repositoryUrl as in package.json
 * @param source below `docs/`
 * @returns the edit link of the page; undefined without a repository on the web
 */
export function editLink(repositoryUrl: string | undefined, source: string): string | undefined {
  const [, address] = /^(?:git\+)?(https:\/\/[^#?]+?)(?:\.git)?\/?$/.exec(repositoryUrl ?? '') ?? [];
  return address && new URL(`docs/${source}`, `${address}/edit/HEAD/`).href;
}

/** @throws for an unknown name, or a broken link in the guide */
export function guidePage(name: string, baseUrl: string): Content {
  const at = guides.findIndex((guide) => guide.name === name);
  const guide = guides[at]!;
  const { html, title, headings } = renderGuide(guide.source, baseUrl);
  const path = `/docs/guides/${name}`;
  const neighbors = { previous: guides[at - 1], next: guides[at + 1], edit: editLink(repository?.url, guide.source) };
  return page('@guide', { title, description: guide.summary, path, headings }, { html, ...neighbors });
}

export function guideIndexPage(baseUrl: string): Content {
  const { html, title, headings } = renderGuide('guides/README.md', baseUrl);
  const description = 'From setup to the first response of the Collaborator Management API.';
  return page('@guides', { title, description, path: '/docs/guides', headings }, { html, guides });
}

export function homePage(): Content {
  const parts = groups.map((title) => ({ title, guides: guides.filter(({ group }) => group === title) }));
  const description = 'Guides, reference, and operator documentation of the Collaborator Management API.';
  return page('@home', { title: 'Documentation', description, path: '/docs' }, { parts });
}

export function guideText(source: string, baseUrl: string): string {
  const text = readFileSync(new URL(source, docs), 'utf8').replaceAll(addressInSources, baseUrl);
  return hasCli && text.includes(integrityInSources) ? text.replaceAll(integrityInSources, cliIntegrity()) : text;
}

function renderGuide(source: string, baseUrl: string): Rendered {
  const folder = source.slice(0, source.lastIndexOf('/') + 1);
  return render(guideText(source, baseUrl), (href) => publishedPath(folder, href));
}

/**
 * Maps links between repository files to published pages.
 * @returns undefined for unpublished files, which operator pages link to
 */
function publishedPath(folder: string, href: string): string | undefined {
  const { pathname, hash } = new URL(href, `file:///docs/${folder}`);
  const publishedPaths: Record<string, string> = {
    '/docs/guides/README.md': '/docs/guides',
    '/openapi/CHANGELOG.md': '/docs/guides/changelog',
    '/openapi/openapi.yaml': '/openapi.yaml',
    '/openapi/EXTENSIONS.md': '/docs/reference',
    '/docs/errors/': '/docs/errors',
    [postmanCollection]: postmanCollection,
    ...Object.fromEntries(
      guides.map(({ name, source }: Guide) => [new URL(source, 'file:///docs/').pathname, `/docs/guides/${name}`]),
    ),
    ...Object.fromEntries(samples.map((name) => [`/docs/webhooks/${name}`, `/docs/guides/webhooks/${name}`])),
  };
  const target = publishedPaths[pathname];
  if (!target && repositoryFolders.has(folder)) return undefined;
  if (!target) throw new Error(`docs/${folder} links to ${href}, which is not published`);
  return target + hash;
}
