// Compares `content`: media types, form parts, and headers, which refer to each other and so share a file.

import type { Cursor } from '../../load/document.ts';
import { equal, isObject, texts } from '../../model/json.ts';
import type { RuleId } from '../../policy/rules.ts';
import type { Comparison, Pair, Texts, Traffic } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { removal } from '../lifecycle.ts';
import { compareWords } from '../prose.ts';
import { hintOf, matchRenames, type Named, renameEvidence, schemaSimilarity } from '../rename.ts';
import { compareSchemaAt } from '../schemas/schema.ts';
import { contains, mediaType, mediaTypesOf } from './media-types.ts';
import { compareSerialization, isExploded } from './serialization.ts';

/**
 * Compares the media types under `content`.
 * @param imposed whether the sender chooses the media type, and the receiver must accept it
 */
export function compareContent(comparison: Comparison, pair: Pair, imposed: boolean): void {
  const [old, now] = [mediaTypesOf(pair.base), mediaTypesOf(pair.revised)];
  const removed = [...old].filter(([type]) => !now.has(type));
  const added = [...now].filter(([type]) => !old.has(type));
  compareSharedContent(comparison, pair);
  matchRanges(comparison, pair, removed, added);
  if (removed.length === 1 && added.length === 1) {
    const [[from, base], [to, revised]] = [removed.pop()!, added.pop()!];
    comparison.report('media-type-replaced', pair.below(base, revised, pair.where), `${from} was replaced by ${to}`, {
      before: from,
      after: to,
      use: true,
    });
  }
  for (const [type, cursor] of removed)
    comparison.report('media-type-removed', pair.below(cursor, undefined, pair.where), `${type} was removed`, {
      before: type,
    });
  for (const [type, cursor] of added)
    comparison.report(
      imposed && old.size > 0 ? 'media-type-imposed' : 'media-type-added',
      pair.below(undefined, cursor, pair.where),
      `${type} was added`,
      { after: type },
    );
}

export function compareSharedContent(comparison: Comparison, pair: Pair): void {
  const now = mediaTypesOf(pair.revised);
  for (const [type, base] of mediaTypesOf(pair.base)) {
    const revised = now.get(type);
    if (revised) compareMediaType(comparison, pair.below(base, revised, `${pair.where}, ${type}`), type);
  }
}

type Entry = [type: string, cursor: Cursor];

/** A range such as `application/*` includes its types: replacing one with the other widens or narrows. */
function matchRanges(comparison: Comparison, pair: Pair, removed: Entry[], added: Entry[]): void {
  for (const from of [...removed]) {
    const to = added.find(([type]) => contains(type, from[0]) || contains(from[0], type));
    if (!to) continue;
    removed.splice(removed.indexOf(from), 1);
    added.splice(added.indexOf(to), 1);
    const widened = contains(to[0], from[0]);
    const both = pair.below(from[1], to[1], pair.where);
    comparison.report(widened ? 'media-type-widened' : 'media-type-narrowed', both, `${from[0]} became ${to[0]}`, {
      before: from[0],
      after: to[0],
      use: true,
    });
    compareMediaType(comparison, both, to[0]);
  }
}

/** String serialization of a media type, if it has one. */
function textsOf(type: string): Texts | undefined {
  if (isForm(type)) return { kind: 'form', exploded: true };
  return /^text\/plain\b/.test(type) ? { kind: 'parameter', exploded: false } : undefined;
}

const isForm = (type: string): boolean => /^(application\/x-www-form-urlencoded|multipart\/)/.test(type);

function compareMediaType(comparison: Comparison, pair: Pair, type: string): void {
  if (comparison.sameness.identical(pair.base?.value, pair.revised?.value)) return;
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  const texts = textsOf(type);
  const traffic: Traffic = { ...pair.traffic, xml: /[/+]xml\b|\*/.test(type), ...(texts && { texts }) };
  compareSchemaAt(comparison, pair, 'schema', { traffic, always: false });
  // Items of a stream.
  compareSchemaAt(comparison, pair, 'itemSchema', { traffic, always: false });
  for (const part of pair.at('encoding').members((name) => `${pair.where}, part ${name}`))
    compareEncoding(comparison, part);
}

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
    const losesTypes = !now ? false : !old || old.some((type) => !now.includes(type));
    const gainsTypes = !old ? false : !now || now.some((type) => !old.includes(type));
    const rule = losesTypes && gainsTypes ? 'encoding-changed' : losesTypes ? 'encoding-narrowed' : 'encoding-widened';
    const where = pair.base && pair.revised ? pair : pair.parent!.parent!;
    comparison.report(
      rule,
      where.below(pair.base ?? where.base, pair.revised ?? where.revised, pair.where),
      `the media types changed from ${formatTypes(old)} to ${formatTypes(now)}`,
      { before: old, after: now },
    );
  }
  if (!equal(plain(pair.base), plain(pair.revised)))
    comparison.report('encoding-changed', pair, 'the encoding changed');
  compareHeaders(comparison, pair);
}

const formatTypes = (types: readonly string[] | undefined): string => (types ? texts(types).join(', ') : 'any');

export function compareHeaders(comparison: Comparison, pair: Pair): void {
  const headersOf = (side: Cursor | undefined) =>
    new Map(
      (side?.entriesOf('headers') ?? [])
        .filter(([name]) => name.toLowerCase() !== 'content-type')
        .map(([name, cursor]) => [name.toLowerCase(), { name, place: 'header', cursor }]),
    );
  const [before, after] = [headersOf(pair.base), headersOf(pair.revised)];
  const where = (name: string) => `${pair.where}, header ${name}`;
  const removed = [...before.values()].filter(({ name }) => !after.has(name.toLowerCase()));
  const added = [...after.values()].filter(({ name }) => !before.has(name.toLowerCase()));
  for (const [key, header] of before) {
    const other = after.get(key);
    if (other) compareValue(comparison, pair.below(header.cursor, other.cursor, where(other.name)), 'header');
  }
  const unchangedSiblings = () => [...after.values()].filter(({ name }) => before.has(name.toLowerCase()));
  const similarity = (a: Named, b: Named) => schemaSimilarity(comparison, a, b);
  const found = matchRenames(removed, added, similarity, renameEvidence(unchangedSiblings));
  for (const [from, to] of found.renames)
    comparison.report(
      'header-renamed',
      pair.below(from.cursor, to.cursor, where(from.name)),
      `was renamed to \`${to.name}\``,
      { before: from.name, after: to.name, use: true },
    );
  for (const header of removed) {
    const { rule, text } = removal(comparison, 'header-removed', header.cursor);
    const at = pair.below(header.cursor, undefined, where(header.name));
    comparison.report(rule, at, `${text}${hintOf(found, header)}`);
  }
  for (const { name, cursor } of added) {
    const rule: RuleId = cursor.get('required') === true ? 'required-header-added' : 'header-added';
    comparison.report(rule, pair.below(undefined, cursor, where(name)), 'was added');
  }
}

/** Compares a parameter or header on both sides. `place` is `query`, `path`, `header`, or `cookie`. */
export function compareValue(comparison: Comparison, pair: Pair, location: string): void {
  if (comparison.sameness.identical(pair.base?.value, pair.revised?.value)) return;
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  const [before, after] = [isRequired(pair.base!), isRequired(pair.revised!)];
  comparison.reportRequired(pair, before, after);
  compareSerialization(comparison, pair, location);
  const exploded = isExploded(pair.base!, location) && isExploded(pair.revised!, location);
  compareSchemaAt(comparison, pair, 'schema', {
    traffic: { ...pair.traffic, texts: { kind: 'parameter', exploded } },
    always: before && after,
  });
  compareContent(comparison, pair, false);
}

/** Whether a parameter is required; path parameters always are. */
export const isRequired = (cursor: Cursor): boolean => cursor.get('required') === true || cursor.get('in') === 'path';
