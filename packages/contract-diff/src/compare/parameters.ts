// Parameters of operations, and headers of answers: by place and name, and by how their values are written.
import type { Comparison, Pair } from '../comparison.ts';
import type { Cursor } from '../document.ts';
import { type Operation, pathNames } from '../operations.ts';
import type { RuleId } from '../policy.ts';
import { compareContent } from './body.ts';
import { compareExtensions } from './extensions.ts';
import { compareWords } from './prose.ts';
import { takeRenames } from './rename.ts';
import { compareSchemaAt } from './schema.ts';

interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly cursor: Cursor;
}

/** Headers that OpenAPI describes elsewhere, and bids to ignore here. */
const ignored = new Set(['accept', 'content-type', 'authorization']);

/** Compares the parameters of an operation, with those of its path. */
export function compareParameters(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  const names = pathNames(old.path);
  const renamed = new Map(pathNames(now.path).map((name, index) => [name, names[index]] as const));
  const before = parametersOf(old, (name) => name);
  const after = parametersOf(now, (name) => renamed.get(name) ?? name);
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, parameter]) => parameter);
  const come = [...after].filter(([key]) => !before.has(key)).map(([, parameter]) => parameter);
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other)
      compareParameter(comparison, pair.below(parameter.cursor, other.cursor, called(pair, other)), parameter.place);
  }
  const alike = (from: Parameter, to: Parameter) => (from.place === to.place ? schemasAlike(comparison, from, to) : 0);
  const moved = (from: Parameter, to: Parameter) => from.name.toLowerCase() === to.name.toLowerCase();
  for (const from of [...gone]) {
    const to = come.find((candidate) => moved(from, candidate));
    if (!to) continue;
    gone.splice(gone.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
    comparison.report(
      'parameter-moved',
      pair.below(from.cursor, to.cursor, called(pair, from)),
      `moved from ${from.place} to ${to.place}`,
      {
        before: from.place,
        after: to.place,
      },
    );
  }
  for (const [from, to] of takeRenames(gone, come, alike))
    comparison.report(
      'parameter-renamed',
      pair.below(from.cursor, to.cursor, called(pair, from)),
      `was renamed to \`${to.name}\``,
      {
        before: from.name,
        after: to.name,
      },
    );
  for (const parameter of gone)
    comparison.report(
      'parameter-removed',
      pair.below(parameter.cursor, undefined, called(pair, parameter)),
      'was removed',
    );
  for (const parameter of come) {
    const required = isRequired(parameter.cursor);
    comparison.report(
      required ? 'required-parameter-added' : 'parameter-added',
      pair.below(undefined, parameter.cursor, called(pair, parameter)),
      `was added${required ? ', and is required' : ''}`,
    );
  }
}

const called = ({ where }: Pair, { place, name }: Parameter): string => `${where}, ${place} parameter ${name}`;

/** The parameters of the path and of the operation, which wins; by place and name. */
function parametersOf({ item, cursor }: Operation, nameOfPath: (name: string) => string): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  for (const [, parameter] of [...item.entriesOf('parameters'), ...cursor.entriesOf('parameters')]) {
    const [name, place] = [String(parameter.get('name')), String(parameter.get('in'))];
    if (place === 'header' && ignored.has(name.toLowerCase())) continue;
    const key = place === 'path' ? nameOfPath(name) : place === 'header' ? name.toLowerCase() : name;
    found.set(`${place} ${key}`, { name, place, cursor: parameter });
  }
  return found;
}

const isRequired = (cursor: Cursor): boolean => cursor.get('required') === true || cursor.get('in') === 'path';

const schemasAlike = (comparison: Comparison, from: Parameter, to: Parameter): number => {
  const [a, b] = [from.cursor.raw('schema'), to.cursor.raw('schema')];
  if (!a || !b) return 0;
  return comparison.sameness.alike({ document: a.document, schema: a.value }, { document: b.document, schema: b.value })
    ? 1
    : 0.3;
};

/** Compares the headers of an answer or of a part of a form. */
export function compareHeaders(comparison: Comparison, pair: Pair): void {
  const headersOf = (side: Cursor | undefined) =>
    new Map(
      (side?.entriesOf('headers') ?? [])
        .filter(([name]) => name.toLowerCase() !== 'content-type')
        .map(([name, cursor]) => [name.toLowerCase(), { name, place: 'header', cursor }]),
    );
  const [before, after] = [headersOf(pair.base), headersOf(pair.revised)];
  const where = (name: string) => `${pair.where}, header ${name}`;
  const gone = [...before.values()].filter(({ name }) => !after.has(name.toLowerCase()));
  const come = [...after.values()].filter(({ name }) => !before.has(name.toLowerCase()));
  for (const [key, header] of before) {
    const other = after.get(key);
    if (other) compareParameter(comparison, pair.below(header.cursor, other.cursor, where(other.name)), 'header');
  }
  for (const [from, to] of takeRenames(gone, come, (a, b) => schemasAlike(comparison, a, b)))
    comparison.report(
      'header-renamed',
      pair.below(from.cursor, to.cursor, where(from.name)),
      `was renamed to \`${to.name}\``,
      {
        before: from.name,
        after: to.name,
      },
    );
  for (const { name, cursor } of gone)
    comparison.report('header-removed', pair.below(cursor, undefined, where(name)), 'was removed');
  for (const { name, cursor } of come) {
    const rule: RuleId = cursor.get('required') === true ? 'required-header-added' : 'header-added';
    comparison.report(rule, pair.below(undefined, cursor, where(name)), 'was added');
  }
}

/** Compares a parameter or header that both sides have. */
function compareParameter(comparison: Comparison, pair: Pair, place: string): void {
  if (comparison.sameness.identical(pair.base?.value, pair.revised?.value)) return;
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  const [before, after] = [isRequired(pair.base!), isRequired(pair.revised!)];
  if (before !== after)
    comparison.report(
      after ? 'became-required' : 'became-optional',
      pair,
      after ? 'is required now' : 'is no longer required',
      {
        key: 'required',
      },
    );
  compareSerialisation(comparison, pair, place);
  compareSchemaAt(comparison, pair, 'schema');
  compareContent(comparison, pair, false);
}

const styles: Readonly<Record<string, string>> = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' };

/** How a value is written into an address or a header; what is not said has a default. */
function compareSerialisation(comparison: Comparison, pair: Pair, place: string): void {
  const read = (cursor: Cursor) => {
    const style = cursor.get('style') ?? styles[place];
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
          ? `is written as ${after.content ? 'a media type' : 'a plain value'} now`
          : `\`${key}\` changed from ${before[key]} to ${after[key]}`;
      comparison.report('serialisation-changed', pair, text, { key, before: before[key], after: after[key] });
    }
  const [empty, emptyNow] = [pair.base!, pair.revised!].map((cursor) => cursor.get('allowEmptyValue') === true);
  if (empty !== emptyNow)
    comparison.report(
      emptyNow ? 'empty-value-allowed' : 'empty-value-refused',
      pair,
      `may ${emptyNow ? '' : 'no longer '}be empty`,
      {
        key: 'allowEmptyValue',
      },
    );
}

/** `explode` follows `style`; a change of both is one change. */
const matters = (key: string, { base, revised }: Pair): boolean =>
  key !== 'explode' || base!.get('explode') !== undefined || revised!.get('explode') !== undefined;
