// Serialization of parameters and headers in a URL or header line.

import type { Cursor } from '../../load/document.ts';
import { resolveSchema } from '../../schema/index.ts';
import type { Comparison, Pair } from '../comparison.ts';

const styles: Readonly<Record<string, string>> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

/** Whether list elements repeat the name. */
export function isExploded(cursor: Cursor, location: string): boolean {
  const style = cursor.get('style') ?? styles[location];
  return style === 'form' && cursor.get('explode') !== false;
}

/** Defaults depend on the location: `query`, `path`, `header`, or `cookie`. */
export function compareSerialization(comparison: Comparison, pair: Pair, location: string): void {
  const read = (cursor: Cursor) => {
    const style = cursor.get('style') ?? styles[location];
    return {
      style,
      explode: cursor.get('explode') ?? style === 'form',
      allowReserved: cursor.get('allowReserved') === true,
      content: cursor.get('content') !== undefined,
    };
  };
  const [before, after] = [read(pair.base!), read(pair.revised!)];
  for (const key of ['style', 'explode', 'allowReserved', 'content'] as const)
    if (before[key] !== after[key] && matters(key, pair)) {
      const text =
        key === 'content'
          ? `is ${after.content ? 'a media type' : 'a plain value'} now`
          : `\`${key}\` changed from ${before[key]} to ${after[key]}`;
      comparison.report('serialization-changed', pair, text, { key, before: before[key], after: after[key] });
    }
  const [empty, emptyNow] = [pair.base!, pair.revised!].map((cursor) => cursor.get('allowEmptyValue') === true);
  if (empty !== emptyNow)
    comparison.report(
      emptyNow ? 'empty-value-allowed' : 'empty-value-refused',
      pair,
      `may ${emptyNow ? '' : 'no longer '}be empty`,
      { key: 'allowEmptyValue' },
    );
}

/** The default of `explode` depends on `style`, so changing both is one change. It affects only lists and objects. */
const matters = (key: string, { base, revised }: Pair): boolean => {
  const sides = [base!, revised!];
  return key !== 'explode' || (sides.some((side) => side.get('explode') !== undefined) && sides.some(hasSeveralValues));
};

function hasSeveralValues(cursor: Cursor): boolean {
  const schema = cursor.raw('schema');
  if (!schema) return true;
  const { types, exact } = resolveSchema({ document: cursor.document, schema: schema.value });
  return !exact || types.has('array') || types.has('object');
}
