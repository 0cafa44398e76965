/** The layout of every page: head, top bar, navigation, and content security policy. */
import { readdirSync, readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { contract } from '../../contract/contract.ts';
import type { Content } from '../http/responses/published.ts';
import { assets } from './assets.ts';
import { groups, guides } from './guide-list.ts';
import type { Heading } from './markdown.ts';

const folder = new URL('./pages/', import.meta.url);
const eta = new Eta({ autoEscape: true });
for (const file of readdirSync(folder)) {
  eta.loadTemplate(`@${file.replace('.eta', '')}`, readFileSync(new URL(file, folder), 'utf8'));
}

/** Own origin only, no inline scripts, no framing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'", // search form
  "frame-ancestors 'none'",
].join('; ');

interface PageOptions {
  title: string;
  description: string;
  /** The page's path, which the navigation highlights. */
  path: string;
  headings?: Heading[];
}

/** @param data for the template, beside the options */
export function page(template: string, options: PageOptions, data: object = {}): Content {
  const product = contract.info.title;
  const body = eta.render(template, { headings: [], navigation, ...options, ...data, assets, product });
  return {
    body,
    media_type: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'public, no-cache',
      'Content-Security-Policy': policy,
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
      { href: '/docs/errors', label: 'Error codes' },
      { href: '/openapi.json', label: 'OpenAPI 3.1, JSON' },
      { href: '/openapi.yaml', label: 'OpenAPI 3.1, YAML' },
      { href: '/llms.txt', label: 'llms.txt' },
    ],
  },
];
