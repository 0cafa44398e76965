// What went and what came, matched: a rename is one change, not two.

import type { Cursor } from '../load/document.ts';
import { isObject, texts } from '../model/json.ts';
import type { Comparison } from './comparison.ts';

/** Something that can be renamed. */
interface Named {
  readonly name: string;
  readonly cursor: Cursor;
}

/** Alike enough to be called the same thing under another name. */
const threshold = 0.65;

/**
 * Pairs each thing that is gone with the thing that took its place: the one whose `x-renamed-from` names it, else the one
 * most like it. Paired things are removed from both lists.
 *
 * @param alike how much the contents of the two are alike, from 0 to 1
 */
export function takeRenames<T extends Named>(
  gone: T[],
  come: T[],
  alike: (gone: T, come: T) => number,
): [from: T, to: T][] {
  const renames: [T, T][] = [];
  const take = (from: T, to: T) => {
    gone.splice(gone.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
    renames.push([from, to]);
  };
  for (const to of [...come]) {
    const from = gone.find(({ name }) => formerNames(to.cursor.value).includes(name));
    if (from) take(from, to);
  }
  // Each with each: in one object only, so few.
  const candidates = gone
    .flatMap((from) => come.map((to) => ({ from, to, score: score(from, to, alike(from, to)) })))
    .filter((candidate) => candidate.score >= threshold)
    .sort((a, b) => b.score - a.score);
  for (const { from, to } of candidates) if (gone.includes(from) && come.includes(to)) take(from, to);
  return renames;
}

/** How much the schemas of two parameters or headers are alike, from 0 to 1. */
export function likenessOfSchemas({ sameness }: Comparison, from: Named, to: Named): number {
  const [a, b] = [from.cursor.raw('schema'), to.cursor.raw('schema')];
  if (!a || !b) return 0;
  return sameness.alike({ document: a.document, schema: a.value }, { document: b.document, schema: b.value }) ? 1 : 0.3;
}

function formerNames(value: unknown): string[] {
  const from = isObject(value) ? value['x-renamed-from'] : undefined;
  return typeof from === 'string' ? [from] : texts(from);
}

function score(from: Named, to: Named, contents: number): number {
  const [before, after] = [proseOf(from.cursor), proseOf(to.cursor)];
  const names = nearness(from.name, to.name);
  if (before === '' && after === '') return 0.6 * contents + 0.4 * names;
  return 0.4 * contents + 0.2 * names + 0.4 * overlap(before, after);
}

const proseOf = ({ value }: Cursor): string =>
  isObject(value) ? [value.summary, value.description].filter((text) => typeof text === 'string').join(' ') : '';

/** How many of their words two texts share, from 0 to 1. */
export function overlap(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** How alike two names are, from 0 to 1: by their words or by their letters, whichever says more. */
export function nearness(a: string, b: string): number {
  const split = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_.-]/g, ' ');
  const longest = Math.max(a.length, b.length);
  return Math.max(
    overlap(split(a), split(b)),
    longest === 0 ? 1 : 1 - distance(a.toLowerCase(), b.toLowerCase()) / longest,
  );
}

/** The letters to insert, delete or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
