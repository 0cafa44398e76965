/** Full-text search over guide sections, operations, events, and error codes. */
import MiniSearch from 'minisearch';
import { contract, contractOperations } from '../../contract/contract.ts';
import { once } from '../http/responses/published.ts';
import { errorDescriptions, errorText } from './error-pages.ts';
import { type Excerpt, excerptOf, plain } from './excerpt.ts';
import { guides } from './guide-list.ts';
import { guideText } from './guides.ts';
import { eventPath, operationPath, render } from './markdown.ts';

interface SearchHit {
  kind: 'Guide' | 'Operation' | 'Event' | 'Error';
  title: Excerpt;
  href: string;
  excerpt: Excerpt;
}

interface Entry {
  kind: SearchHit['kind'];
  title: string;
  href: string;
  name: string;
  text: string;
}

const maxHits = 30;

/** Share of characters that may differ; short words must match exactly. */
const typoTolerance = (term: string) => term.length > 3 && 0.2;

/**
 * @param query every word must match, as a prefix or with typos, in any order; case and accents don't matter
 * @returns best matches first
 */
export function search(query: string): SearchHit[] {
  const { entries, index } = searchable();
  const name = plain(query.trim());
  const results = index.search(query, {
    combineWith: 'AND',
    prefix: true,
    fuzzy: typoTolerance,
    boost: { name: 4, title: 3 },
    boostDocument: (id) => (plain(entries[id]!.name) === name ? 10 : 1),
  });
  return results.slice(0, maxHits).map(({ id, terms }) => {
    const { kind, title, href, text } = entries[id]!;
    const hits = new Set(terms);
    return { kind, title: excerptOf(title, hits, Infinity), href, excerpt: excerptOf(text, hits) };
  });
}

const searchable = once(() => {
  const entries = allEntries();
  const index = new MiniSearch<Entry & { id: number }>({
    fields: ['name', 'title', 'text'],
    processTerm: plain,
    // Index the words of a name as well as the whole: `create` and `app` of `createApp`.
    extractField: (entry, field) => {
      const value = `${entry[field as keyof Entry] ?? ''}`;
      return field === 'name' ? `${value} ${value.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')}` : value;
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return { entries, index };
});

function allEntries(): Entry[] {
  return [
    ...contractOperations.map(({ method, path, operation }): Entry => {
      const { operationId, summary = '', description = '' } = operation as typeof operation & Record<string, string>;
      const text = `${method.toUpperCase()} ${path}. ${prose(description)}`;
      return {
        kind: 'Operation',
        name: operationId,
        title: `${operationId}: ${summary}`,
        href: operationPath(operation),
        text,
      };
    }),
    ...Object.entries(contract.webhooks).map(([name, { post }]): Entry => {
      const { summary = '', description } = post as typeof post & { summary?: string };
      return { kind: 'Event', name, title: `${name}: ${summary}`, href: eventPath(name), text: prose(description) };
    }),
    ...errorDescriptions().map(({ code, status, meaning }): Entry => {
      const { title } = render(errorText(code), String);
      const text = `${status}: ${prose(meaning)}. ${prose(errorText(code))}`;
      return { kind: 'Error', name: code, title: `${code}: ${title}`, href: `/docs/errors/${code}`, text };
    }),
    ...guides.flatMap(({ name, label, summary, source }) => sections(`/docs/guides/${name}`, label, summary, source)),
    ...sections('/docs/guides', 'First request', 'From setup to the first response.', 'guides/README.md'),
  ];
}

function sections(href: string, label: string, summary: string, source: string): Entry[] {
  const text = guideText(source, '').replace(/^<!--.*?-->$/gm, '');
  const { headings } = render(text, String);
  const [, ...parts] = text.replace(/^ *```[\s\S]*?^ *```/gm, '').split(/^## /m);
  const guideEntry: Entry = { kind: 'Guide', name: label, title: label, href, text: summary };
  const sectionEntries = parts.map((part, at): Entry => {
    const [title = '', ...lines] = part.split('\n');
    const anchor = `${href}#${headings[at]!.id}`;
    return { kind: 'Guide', name: '', title: `${label}: ${prose(title)}`, href: anchor, text: prose(lines.join('\n')) };
  });
  return [guideEntry, ...sectionEntries];
}

function prose(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\|[ :|-]+\|$/gm, '')
    .replace(/[`*|#>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
