/** What can be found in the documentation: parts of guides, operations, events and error codes, by the words in them. */
import { contract, contractOperations } from '../../contract/contract.ts';
import { once } from '../http/published.ts';
import { errorDescriptions, errorText } from './error-pages.ts';
import { guides, guideText } from './guides.ts';
import { eventPath, operationPath, render } from './markdown.ts';

interface Found {
  kind: 'Guide' | 'Operation' | 'Event' | 'Error';
  title: string;
  href: string;
  /** Around the first of the words. */
  excerpt: string;
}

interface Entry extends Omit<Found, 'excerpt'> {
  /** What programs call it. */
  name: string;
  text: string;
}

const mostFound = 30;
const excerptCharacters = 160;
/** What a word counts, by where it stands. */
const weights = { name: 8, title: 4, text: 1 };

/**
 * @param query each of its words has to be there, in any order; accents and case count for nothing
 * @returns the best first
 */
export function search(query: string): Found[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rated = entries().flatMap((entry) => {
    const score = rate(entry, words);
    return score > 0 ? [{ entry, score }] : [];
  });
  rated.sort((a, b) => b.score - a.score);
  return rated.slice(0, mostFound).map(({ entry: { kind, title, href, text } }) => ({
    kind,
    title,
    href,
    excerpt: excerptOf(text, words),
  }));
}

/** @returns 0 when one of the words is missing */
function rate({ name, title, text }: Entry, words: readonly string[]): number {
  const parts = [
    [plain(name), weights.name],
    [plain(title), weights.title],
    [plain(text), weights.text],
  ] as const;
  let score = plain(name) === words.join(' ') ? weights.name * words.length : 0;
  for (const word of words) {
    const ofWord = parts.reduce((sum, [part, weight]) => (part.includes(word) ? sum + weight : sum), 0);
    if (ofWord === 0) return 0;
    score += ofWord;
  }
  return score;
}

const entries = once((): Entry[] => [
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
  ...sections('/docs/guides', 'First request', 'From nothing to the first answer.', 'guides/README.md'),
]);

/** A guide as a whole, and each of its parts. */
function sections(href: string, label: string, summary: string, source: string): Entry[] {
  const text = guideText(source, '').replace(/^<!--.*?-->$/gm, '');
  const { headings } = render(text, String);
  const [, ...parts] = text.replace(/^```[\s\S]*?^```/gm, '').split(/^## /m);
  const whole: Entry = { kind: 'Guide', name: label, title: label, href, text: summary };
  const below = parts.map((part, at): Entry => {
    const [title = '', ...lines] = part.split('\n');
    const place = `${href}#${headings[at]!.id}`;
    return { kind: 'Guide', name: '', title: `${label}: ${prose(title)}`, href: place, text: prose(lines.join('\n')) };
  });
  return [whole, ...below];
}

/** Markdown as one line of words. */
function prose(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\|[ :|-]+\|$/gm, '')
    .replace(/[`*|#>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Of the same length as the text, but for letters that are several. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => plain(text).indexOf(word)).filter((place) => place >= 0);
  const middle = places.length > 0 ? Math.min(...places) : 0;
  const from = Math.max(0, middle - excerptCharacters / 2);
  const part = text.slice(from, from + excerptCharacters).trim();
  return `${from > 0 ? '… ' : ''}${part}${from + excerptCharacters < text.length ? ' …' : ''}`;
}
