/** The frame of every page: head, top bar, navigation, and the content security policy. */
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { contract } from '../../contract/contract.ts';
import type { Content } from '../http/published.ts';
import { assets } from './assets.ts';
import { groups, guides } from './guide-list.ts';
import type { Heading } from './markdown.ts';

const folder = new URL('./pages/', import.meta.url);
const eta = new Eta({ autoEscape: true });
const templates = [
  'layout',
  'home',
  'navigation',
  'article',
  'guide',
  'guides',
  'error',
  'errors',
  'reference',
  'operation',
  'event',
  'fields',
  'examples',
  'try',
  'search',
  'signed-in',
];
for (const name of templates) {
  eta.loadTemplate(`@${name}`, readFileSync(new URL(`${name}.eta`, folder), 'utf8'));
}

/** Pages load from our own origin only, run no script that stands in them, and are shown in no frame. */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'", // the search
  'frame-ancestors': "'none'",
};

interface PageOptions {
  title: string;
  /** One sentence, for search engines and previews. */
  description: string;
  /** Its own address, for the navigation to mark. */
  path: string;
  headings?: Heading[];
}

/**
 * @param data what the template shows, beside the options
 * @param directives of the content security policy that differ on this page
 */
export function page(
  template: string,
  options: PageOptions,
  data: object = {},
  directives: Record<string, string> = {},
): Content {
  const product = contract.info.title;
  const body = eta.render(template, { headings: [], navigation, ...options, ...data, assets, product });
  const csp = Object.entries({ ...policy, ...directives }).map(([name, sources]) => `${name} ${sources}`);
  return {
    body,
    media_type: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'public, no-cache',
      'Content-Security-Policy': csp.join('; '),
      'X-Frame-Options': 'DENY',
    },
  };
}

const navigation = [
  {
    title: 'Documentation',
    links: [
      { href: '/docs', label: 'Home' },
      { href: '/docs/guides', label: 'First request' },
    ],
  },
  ...groups.map((title) => ({
    title,
    links: guides
      .filter(({ group }) => group === title)
      .map(({ name, label }) => ({ href: `/docs/guides/${name}`, label })),
  })),
  {
    title: 'Reference',
    links: [
      { href: '/docs/reference', label: 'Operations and events' },
      { href: '/docs/try', label: 'Try requests' },
      { href: '/docs/errors', label: 'Error codes' },
      { href: '/openapi.json', label: 'OpenAPI 3.1, JSON' },
      { href: '/openapi.yaml', label: 'OpenAPI 3.1, YAML' },
      { href: '/llms.txt', label: 'llms.txt' },
    ],
  },
];
