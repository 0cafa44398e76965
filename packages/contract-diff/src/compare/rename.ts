// Matches removed and added items, so that a rename is one change. Requires evidence besides equal types.

import type { Cursor } from '../load/document.ts';
import { equal, isList, isObject, texts } from '../model/json.ts';
import type { Comparison } from './comparison.ts';

export interface Named {
  readonly name: string;
  readonly cursor: Cursor;
}

/** Minimum similarity of rename candidates. */
const threshold = 0.65;
/** Descriptions that share this fraction of their words count as the same, if they have enough words. */
const minProseOverlap = 0.6;
const minWords = 3;
/** Descriptions that share at most this fraction are about different things. */
const maxUnrelatedOverlap = 0.3;

interface Renames<T> {
  readonly renames: readonly (readonly [from: T, to: T])[];
  /** Candidates with similarity but without evidence. */
  readonly possible: ReadonlyMap<T, T>;
}

/**
 * Matches each removed item with its replacement: the one whose `x-renamed-from` names it, otherwise the most similar one with
 * evidence. Removes matched items from both lists.
 * @param similarity similarity of the contents, from 0 to 1
 * @param hasEvidence whether something other than the contents suggests a rename: see `renameEvidence`
 */
export function matchRenames<T extends Named>(
  removed: T[],
  added: T[],
  similarity: (removed: T, added: T) => number,
  hasEvidence: (removed: T, added: T, contents: number) => boolean,
): Renames<T> {
  const renames: [T, T][] = [];
  const match = (from: T, to: T) => {
    removed.splice(removed.indexOf(from), 1);
    added.splice(added.indexOf(to), 1);
    renames.push([from, to]);
  };
  for (const to of [...added]) {
    const from = removed.find(({ name }) => formerNames(to.cursor.value).includes(name));
    if (from) match(from, to);
  }
  // Pairwise, but only within one object, so the lists are short.
  const candidates = removed
    .flatMap((from) =>
      added.map((to) => {
        const contents = similarity(from, to);
        return { from, to, score: score(from, to, contents), evidence: hasEvidence(from, to, contents) };
      }),
    )
    .sort((a, b) => b.score - a.score);
  const left = (from: T, to: T) => removed.includes(from) && added.includes(to);
  for (const { from, to, evidence } of candidates) if (evidence && left(from, to)) match(from, to);
  const possible = new Map<T, T>();
  for (const { from, to, score: similarityScore } of candidates)
    if (similarityScore >= threshold && left(from, to) && !possible.has(from)) possible.set(from, to);
  return { renames, possible };
}

/** Sentence ending for a removed item. */
export const hintOf = <T extends Named>({ possible }: Renames<T>, removed: T): string =>
  possible.has(removed) ? ` (perhaps renamed to \`${possible.get(removed)!.name}\`)` : '';

/** Similarity of the schemas of two parameters or headers, from 0 to 1. */
export function schemaSimilarity({ sameness }: Comparison, from: Named, to: Named): number {
  const [a, b] = [from.cursor.raw('schema'), to.cursor.raw('schema')];
  if (!a || !b) return 0;
  return sameness.alike({ document: a.document, schema: a.value }, { document: b.document, schema: b.value }) ? 1 : 0.3;
}

function formerNames(value: unknown): string[] {
  const from = isObject(value) ? value['x-renamed-from'] : undefined;
  return typeof from === 'string' ? [from] : texts(from);
}

/**
 * Evidence of a rename: the same prose, a name that differs by a typo, the same examples or enum. Each counts only if no
 * unchanged sibling has it as well.
 * @param unchangedSiblings unchanged siblings, computed only when needed
 */
export function renameEvidence(unchangedSiblings: () => readonly Named[]) {
  return (from: Named, to: Named, contents: number): boolean => {
    if (contents === 0) return false;
    if (differOnlyInSpelling(from.name, to.name)) return !contradicts(from, to);
    return (
      isSame(from, to, contents) &&
      !unchangedSiblings().some((other) => isSame(from, other, contents) || isSame(other, to, contents))
    );
  };
}

/** Whether the descriptions are about different things. */
function contradicts(from: Named, to: Named): boolean {
  const [before, after] = [proseOf(from.cursor), proseOf(to.cursor)];
  if (Math.min(wordsOf(before).size, wordsOf(after).size) < minWords) return false;
  return overlap(before, after) <= maxUnrelatedOverlap;
}

function isSame(from: Named, to: Named, contents: number): boolean {
  const shared = overlap(proseOf(from.cursor), proseOf(to.cursor));
  const [before, after] = [wordsOf(proseOf(from.cursor)).size, wordsOf(proseOf(to.cursor)).size];
  if (Math.min(before, after) >= minWords) {
    if (shared >= minProseOverlap) return true;
    if (shared <= maxUnrelatedOverlap) return false;
  }
  // Short but equal descriptions, and one name contains the other.
  if (before > 0 && shared === 1 && isPartOfName(from.name, to.name)) return true;
  return contents >= 0.5 && sameExamples(from.cursor, to.cursor);
}

/** Whether two names differ only in spelling: `firstName`, `first_name`; `colour`, `color`; `tag`, `tags`. */
export function differOnlyInSpelling(a: string, b: string): boolean {
  const [x, y] = [a, b].map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')) as [string, string];
  if (x === y) return true;
  if (x === `${y}s` || y === `${x}s`) return true;
  const digits = (name: string) => name.replace(/\D/g, '');
  // `height` and `weight`, `user1` and `user2` are different things.
  if (Math.min(x.length, y.length) < 5 || x[0] !== y[0] || digits(x) !== digits(y)) return false;
  const swapped = x.length === y.length && [...x].sort().join('') === [...y].sort().join('');
  return distance(x, y) <= (swapped ? 2 : 1);
}

/** Whether one name contains all words of the other: `count` and `total_count`. */
function isPartOfName(a: string, b: string): boolean {
  const [x, y] = [a, b].map((name) => wordsOf(split(name))) as [Set<string>, Set<string>];
  const [few, many] = x.size < y.size ? [x, y] : [y, x];
  return few.size > 0 && [...few].every((word) => many.has(word));
}

/** Whether both have the same examples, or the same enum with at least two values. */
function sameExamples(from: Cursor, to: Cursor): boolean {
  const examplesOf = ({ value }: Cursor): unknown[] => {
    const schema = isObject(value) && isObject(value.schema) ? value.schema : value;
    if (!isObject(schema)) return [];
    const list = isList(schema.enum) && schema.enum.length > 1 ? [[...schema.enum].sort()] : [];
    const examples = [schema.example, ...(isList(schema.examples) ? schema.examples : [])];
    return [...list, ...examples.filter((one) => (typeof one === 'string' && one.length > 2) || isObject(one))];
  };
  const others = examplesOf(to);
  return examplesOf(from).some((one) => others.some((other) => equal(one, other)));
}

function score(from: Named, to: Named, contents: number): number {
  const [before, after] = [proseOf(from.cursor), proseOf(to.cursor)];
  const names = nameSimilarity(from.name, to.name);
  if (before === '' && after === '') return 0.6 * contents + 0.4 * names;
  return 0.4 * contents + 0.2 * names + 0.4 * overlap(before, after);
}

export const proseOf = ({ value }: Cursor): string =>
  isObject(value) ? [value.summary, value.description].filter((text) => typeof text === 'string').join(' ') : '';

/** Fraction of words that two texts share, from 0 to 1. */
export function overlap(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

const split = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_.-]/g, ' ');

/** Similarity of two names, from 0 to 1: the higher of word and letter similarity. */
export function nameSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return Math.max(
    overlap(split(a), split(b)),
    longest === 0 ? 1 : 1 - distance(a.toLowerCase(), b.toLowerCase()) / longest,
  );
}

/** Levenshtein distance. */
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
