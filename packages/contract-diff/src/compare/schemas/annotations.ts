// Compares annotations, which do not affect validity: prose, examples, defaults, extensions, deprecation.

import type { Cursor } from '../../load/document.ts';
import { equal, isObject, member, texts } from '../../model/json.ts';
import type { RuleId } from '../../policy/rules.ts';
import { type Comparison, Pair } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { compareWords } from '../prose.ts';

/** Compares annotations. Parts of `allOf` are compared one by one, to report changes of shared components there. */
export function compareAnnotations(comparison: Comparison, pair: Pair): void {
  const [old, now] = [partsOf(pair.base), partsOf(pair.revised)];
  for (const [before, after] of align(old, now)) {
    const at = new Pair(before, after, pair.traffic, pair.where, pair, pair.use);
    if (!before || !after) {
      // A part without annotations can come and go: its constraints are compared elsewhere.
      compareOneSided(comparison, at, pair);
      continue;
    }
    compareWords(comparison, at);
    compareExtensions(comparison, at);
    compareExtensibleEnum(comparison, at);
    compareMeaning(comparison, at);
  }
}

/** The schema and everything merged into it. */
function partsOf(cursor: Cursor | undefined, visited = new Set<unknown>()): Cursor[] {
  if (!cursor || !isObject(cursor.value) || visited.has(cursor.value)) return [];
  visited.add(cursor.value);
  return [cursor, ...mergedParts(cursor).flatMap((part) => partsOf(part, visited))];
}

/** Subschemas merged into a schema: the parts of `allOf`, and the only alternative besides null. */
export function mergedParts(cursor: Cursor): Cursor[] {
  const parts = cursor.entriesOf('allOf').map(([, part]) => part);
  for (const keyword of ['oneOf', 'anyOf']) {
    const others = cursor
      .entriesOf(keyword)
      .map(([, part]) => part)
      .filter((part) => !isNull(part.value));
    if (others.length === 1) parts.push(...others);
  }
  return parts;
}

const isNull = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema.type === 'null' || ('const' in schema && schema.const === null) || equal(schema.enum, [null]));

/** Aligns parts: same component and equal parts first, so that an added part does not shift the others; then in order. */
function align(old: Cursor[], now: Cursor[]): [Cursor | undefined, Cursor | undefined][] {
  if (old.length === now.length) return old.map((cursor, index) => [cursor, now[index]]);
  const pairs: [Cursor | undefined, Cursor | undefined][] = [];
  const remaining = [...old];
  const rest: Cursor[] = [];
  for (const cursor of now) {
    const component = remaining.findIndex(({ pointer }) => pointer === cursor.pointer && isComponent.test(pointer));
    const index =
      component !== -1
        ? component
        : remaining.findIndex(({ value }) => equal(annotationsOf(value), annotationsOf(cursor.value)));
    if (index === -1) rest.push(cursor);
    else pairs.push([remaining.splice(index, 1)[0], cursor]);
  }
  for (let index = 0; index < Math.max(remaining.length, rest.length); index++)
    pairs.push([remaining[index], rest[index]]);
  return pairs;
}

const isComponent = /^\/components\/schemas\/[^/]+$/;

const annotationKeys =
  /^(title|description|default|example|examples|deprecated|contentEncoding|contentMediaType|xml|x-.*)$/;

const annotationsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => annotationKeys.test(key))) : {};

/** Compares the annotations of an added or removed `allOf` part with an empty part. */
function compareOneSided(comparison: Comparison, at: Pair, whole: Pair): void {
  const annotations = annotationsOf((at.base ?? at.revised)!.value);
  for (const key of Object.keys(annotations)) {
    // Compared for the schema as a whole.
    if (key === 'default') continue;
    const rule = key === 'example' || key === 'examples' ? 'example-changed' : 'prose-changed';
    const removed = at.base !== undefined;
    comparison.report(
      rule,
      at.below(at.base, at.revised, whole.where),
      `\`${key}\` was ${removed ? 'removed' : 'added'}`,
      { key },
    );
  }
}

/** Encoding and XML shape affect what a value means. */
function compareMeaning(comparison: Comparison, pair: Pair): void {
  const changed = (key: string) => !equal(pair.base?.get(key), pair.revised?.get(key));
  if (changed('contentEncoding') && encodingOf(pair.base) !== encodingOf(pair.revised))
    comparison.report('format-changed', pair, `\`contentEncoding\` ${changeOf(pair, 'contentEncoding')}`, {
      key: 'contentEncoding',
    });
  if (changed('contentMediaType')) {
    // Validators ignore it, but a changed media type changes the meaning.
    const both =
      pair.base?.get('contentMediaType') !== undefined && pair.revised?.get('contentMediaType') !== undefined;
    comparison.report(
      both ? 'format-changed' : 'format-hint-changed',
      pair,
      `\`contentMediaType\` ${changeOf(pair, 'contentMediaType')}`,
      { key: 'contentMediaType' },
    );
  }
  if (changed('xml'))
    comparison.report(
      pair.traffic.xml ? 'format-changed' : 'format-hint-changed',
      pair,
      `the shape in XML ${changeOf(pair, 'xml')}`,
      { key: 'xml' },
    );
}

const encodingOf = (side: Cursor | undefined): unknown =>
  side?.get('contentEncoding') ?? (side?.get('format') === 'byte' ? 'base64' : undefined);

const changeOf = ({ base, revised }: Pair, key: string): string => {
  const [before, after] = [base?.get(key), revised?.get(key)];
  if (before === undefined) return `was added: ${JSON.stringify(after)}`;
  if (after === undefined) return `was removed: ${JSON.stringify(before)}`;
  return `changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
};

const extensible = 'x-extensible-enum';

/** Known values of an open list. Opening or closing a list changes the allowed values instead. */
function compareExtensibleEnum(comparison: Comparison, pair: Pair): void {
  const [before, after] = [member(pair.base?.value, extensible), member(pair.revised?.value, extensible)];
  if (equal(before, after)) return;
  if (before === undefined || after === undefined) {
    if ([pair.base, pair.revised].some((side) => side?.get('enum') !== undefined || side?.get('const') !== undefined))
      return;
    const rule = before === undefined ? 'extensible-value-added' : 'extensible-value-removed';
    comparison.report(rule, pair, `the list of known values was ${before === undefined ? 'added' : 'removed'}`, {
      key: extensible,
    });
    return;
  }
  const [old, now] = [texts(before), texts(after)];
  const [removed, addedValues] = [old.filter((item) => !now.includes(item)), now.filter((item) => !old.includes(item))];
  const report = (rule: RuleId, values: string[], verb: string) => {
    if (values.length === 0) return;
    const formatted = values.map((value) => JSON.stringify(value)).join(', ');
    const text = values.length === 1 ? `value ${formatted} was ${verb}` : `values ${formatted} were ${verb}`;
    const added = verb === 'added';
    comparison.report(rule, pair, `the known ${text}`, {
      key: extensible,
      before: added ? undefined : values,
      after: added ? values : undefined,
    });
  };
  report('extensible-value-added', addedValues, 'added');
  report('extensible-value-removed', removed, 'removed');
}
