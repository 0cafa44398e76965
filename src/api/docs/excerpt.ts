/** An excerpt of a text around the search terms, with the terms marked. */

/** In text order; `hit` marks a search term. */
export type Excerpt = { text: string; hit: boolean }[];

const defaultMaxLength = 160;

/**
 * @param terms the words to mark, normalized by `plain`
 * @param characters maximum length; the excerpt starts and ends at word boundaries
 */
export function excerptOf(text: string, terms: ReadonlySet<string>, characters = defaultMaxLength): Excerpt {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  const first = words.find(([word]) => terms.has(plain(word)))?.index ?? 0;
  const from = text.length <= characters ? 0 : nextWordStart(text, Math.max(0, first - characters / 2));
  const to = from + characters >= text.length ? text.length : text.lastIndexOf(' ', from + characters);
  const part = text.slice(from, to > from ? to : from + characters);
  const parts = part.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece) => ({ text: piece, hit: terms.has(plain(piece)) }));
  const before = from > 0 ? [{ text: '… ', hit: false }] : [];
  const after = to < text.length ? [{ text: ' …', hit: false }] : [];
  return [...before, ...parts.filter((piece) => piece.text !== ''), ...after];
}

export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function nextWordStart(text: string, position: number): number {
  return position === 0 ? 0 : text.indexOf(' ', position - 1) + 1;
}
