// Prose. Whether its meaning changed can't be computed; change files decide.

import type { Cursor } from '../load/document.ts';
import { equal, isObject, member } from '../model/json.ts';
import type { Comparison, Pair } from './comparison.ts';

const proseKeys = ['title', 'summary', 'description', 'termsOfService'] as const;

/** Compares titles, summaries, descriptions, examples, external docs, and `deprecated`. */
export function compareWords(comparison: Comparison, pair: Pair): void {
  if (!pair.both) return;
  for (const key of proseKeys) compareText(comparison, pair, key);
  compareText(comparison, pair, 'externalDocs');
  compareExamples(comparison, pair);
  compareDeprecation(comparison, pair);
}

export function compareText(comparison: Comparison, pair: Pair, key: string): void {
  const [before, after] = [pair.base?.get(key), pair.revised?.get(key)];
  if (before === after || equal(before, after)) return;
  if (typeof before === 'string' && typeof after === 'string') {
    if (trimmed(before) === trimmed(after)) return;
    if (unwrapped(before) === unwrapped(after)) {
      comparison.report('prose-reflowed', pair, `the line breaks of \`${key}\` changed`, { key });
      return;
    }
  }
  const change = before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
  comparison.report('prose-changed', pair, `\`${key}\` ${change}`, { key });
}

/** Trailing white space depends on the YAML style, and is insignificant. */
const trimmed = (text: string): string =>
  text
    .replace(/[ \t]+$/gm, '')
    .replaceAll('\r\n', '\n')
    .trim();
const unwrapped = (text: string): string => text.replace(/\s+/g, ' ').trim();

function compareExamples(comparison: Comparison, pair: Pair): void {
  for (const key of ['example', 'examples'])
    if (!sameExamples(pair.base?.get(key), pair.revised?.get(key), pair))
      comparison.report('example-changed', pair, 'the examples changed', { key });
}

/** Examples may be references to components, or inlined copies of them. */
function sameExamples(before: unknown, after: unknown, { base, revised }: Pair): boolean {
  if (equal(before, after) && base && revised && !isObject(before)) return true;
  return equal(resolvedExamples(base, before), resolvedExamples(revised, after));
}

const resolvedExamples = (cursor: Cursor | undefined, examples: unknown): unknown =>
  cursor !== undefined && isObject(examples) && member(cursor.value, 'examples') === examples
    ? Object.fromEntries(cursor.entriesOf('examples').map(([name, example]) => [name, example.value]))
    : examples;

function compareDeprecation(comparison: Comparison, pair: Pair): void {
  const [before, after] = [pair.base?.get('deprecated') === true, pair.revised?.get('deprecated') === true];
  if (before === after) return;
  const rule = after ? 'deprecated' : 'deprecation-withdrawn';
  comparison.report(rule, pair, after ? 'is deprecated now' : 'is no longer deprecated', { key: 'deprecated' });
}
