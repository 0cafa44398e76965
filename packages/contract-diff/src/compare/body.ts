// Bodies: of requests, answers and webhooks, in each of their media types.
import type { Comparison, Pair } from '../comparison.ts';
import type { Cursor } from '../document.ts';
import { equal, isObject, texts } from '../json.ts';
import { compareExtensions } from './extensions.ts';
import { compareHeaders } from './parameters.ts';
import { compareWords } from './prose.ts';
import { compareSchemaAt } from './schema.ts';

/** Compares the bodies of two operations. */
export function compareBody(comparison: Comparison, pair: Pair, operation: Pair): void {
  const { base, revised } = pair;
  if (!base && !revised) return;
  if (!base || !revised) {
    const required = revised?.get('required') === true;
    const rule = base ? 'body-removed' : required ? 'required-body-added' : 'body-added';
    comparison.report(
      rule,
      operation.below(base, revised, pair.where),
      base ? 'was removed' : `was added${required ? ', and is required' : ''}`,
    );
    return;
  }
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  const [before, after] = [base.get('required') === true, revised.get('required') === true];
  if (before !== after)
    comparison.report(
      after ? 'became-required' : 'became-optional',
      pair,
      after ? 'is required now' : 'is no longer required',
      {
        key: 'required',
      },
    );
  compareContent(comparison, pair, pair.traffic.direction === 'emit');
}

/**
 * Compares the media types under `content`.
 *
 * @param imposed whether the receiver can't choose: it gets whatever media type the sender takes
 */
export function compareContent(comparison: Comparison, pair: Pair, imposed: boolean): void {
  const [old, now] = [contentOf(pair.base), contentOf(pair.revised)];
  const gone = [...old].filter(([type]) => !now.has(type));
  const come = [...now].filter(([type]) => !old.has(type));
  compareSharedContent(comparison, pair);
  takeRanges(comparison, pair, gone, come);
  if (gone.length === 1 && come.length === 1) {
    const [[from, base], [to, revised]] = [gone.pop()!, come.pop()!];
    comparison.report('media-type-replaced', pair.below(base, revised, pair.where), `${from} was replaced by ${to}`, {
      before: from,
      after: to,
    });
  }
  for (const [type, cursor] of gone)
    comparison.report('media-type-removed', pair.below(cursor, undefined, pair.where), `${type} was removed`, {
      before: type,
    });
  for (const [type, cursor] of come)
    comparison.report(
      imposed && old.size > 0 ? 'media-type-imposed' : 'media-type-added',
      pair.below(undefined, cursor, pair.where),
      `${type} was added`,
      {
        after: type,
      },
    );
}

/** Compares only the media types that both sides have. */
export function compareSharedContent(comparison: Comparison, pair: Pair): void {
  const now = contentOf(pair.revised);
  for (const [type, base] of contentOf(pair.base)) {
    const revised = now.get(type);
    if (revised) compareMediaType(comparison, pair.below(base, revised, `${pair.where}, ${type}`));
  }
}

/** The media types of a place, each in one spelling: `Application/JSON; Charset="utf-8"` is `application/json;charset=utf-8`. */
function contentOf(cursor: Cursor | undefined): Map<string, Cursor> {
  return new Map((cursor?.at('content')?.entries() ?? []).map(([type, entry]) => [mediaType(type), entry]));
}

function mediaType(written: string): string {
  const [type, ...parameters] = written.split(';').map((part) => part.trim());
  return [type!.toLowerCase(), ...parameters.map(parameter).sort()].join(';');
}

function parameter(written: string): string {
  const [name, value = ''] = written.split('=') as [string, string?];
  const plain = value.trim().replace(/^"(.*)"$/, '$1');
  return `${name.trim().toLowerCase()}=${name.trim().toLowerCase() === 'charset' ? plain.toLowerCase() : plain}`;
}

type Entry = [type: string, cursor: Cursor];

/** `application/*` stands for each of its types: where one took the place of the other, more or less is meant than before. */
function takeRanges(comparison: Comparison, pair: Pair, gone: Entry[], come: Entry[]): void {
  for (const from of [...gone]) {
    const to = come.find(([type]) => contains(type, from[0]) || contains(from[0], type));
    if (!to) continue;
    gone.splice(gone.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
    const widened = contains(to[0], from[0]);
    const both = pair.below(from[1], to[1], pair.where);
    comparison.report(widened ? 'media-type-widened' : 'media-type-narrowed', both, `${from[0]} became ${to[0]}`, {
      before: from[0],
      after: to[0],
    });
    compareMediaType(comparison, both);
  }
}

const contains = (range: string, type: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));

function compareMediaType(comparison: Comparison, pair: Pair): void {
  if (comparison.sameness.identical(pair.base?.value, pair.revised?.value)) return;
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  compareSchemaAt(comparison, pair, 'schema');
  const encoding = pair.at('encoding');
  for (const name of new Set(
    [encoding.base, encoding.revised].flatMap((side) => side?.entries().map(([key]) => key) ?? []),
  ))
    compareEncoding(comparison, encoding.at(name, `${pair.where}, part ${name}`));
}

/** How a part of a form is written. */
function compareEncoding(comparison: Comparison, pair: Pair): void {
  const plain = (cursor: Cursor | undefined) => {
    if (!isObject(cursor?.value)) return {};
    const { headers: _, contentType: __, ...others } = cursor.value;
    return others;
  };
  const types = (cursor: Cursor | undefined) => {
    const written = cursor?.get('contentType');
    return typeof written === 'string' ? written.split(',').map(mediaType) : undefined;
  };
  const [old, now] = [types(pair.base), types(pair.revised)];
  if (!equal(old ? [...old].sort() : old, now ? [...now].sort() : now)) {
    const lost = !now ? false : !old || old.some((type) => !now.includes(type));
    const won = !old ? false : !now || now.some((type) => !old.includes(type));
    const rule = lost && won ? 'encoding-changed' : lost ? 'encoding-narrowed' : 'encoding-widened';
    const where = pair.base && pair.revised ? pair : pair.parent!.parent!;
    comparison.report(
      rule,
      where.below(pair.base ?? where.base, pair.revised ?? where.revised, pair.where),
      `the media types changed from ${said(old)} to ${said(now)}`,
      {
        before: old,
        after: now,
      },
    );
  }
  if (!equal(plain(pair.base), plain(pair.revised)))
    comparison.report('encoding-changed', pair, 'is written in another way');
  compareHeaders(comparison, pair);
}

const said = (types: readonly string[] | undefined): string => (types ? texts(types).join(', ') : 'any');
