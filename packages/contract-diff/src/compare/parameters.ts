// The parameters of operations, by place and name.

import { type Operation, pathNames } from '../load/operations.ts';
import type { Comparison, Pair } from './comparison.ts';
import { compareValue, isRequired } from './content.ts';
import { type Parameter, takeExploded } from './exploded.ts';
import { removal } from './lifecycle.ts';
import { evidenceAmong, hintOf, likenessOfSchemas, takeRenames } from './rename.ts';

/** Headers that OpenAPI describes elsewhere, and bids to ignore here. */
const ignored = new Set(['accept', 'content-type', 'authorization']);

/** Compares the parameters of an operation, with those of its path. */
export function compareParameters(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  const [before, after] = [parametersOf(old), parametersOf(now)];
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, parameter]) => parameter);
  const come = [...after].filter(([key]) => !before.has(key)).map(([, parameter]) => parameter);
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other)
      compareValue(comparison, pair.below(parameter.cursor, other.cursor, called(pair, other)), parameter.place);
  }
  const alike = (from: Parameter, to: Parameter) =>
    from.place === to.place ? likenessOfSchemas(comparison, from, to) : 0;
  // Headers are the same in any letters; of all others the letters count.
  const moved = (from: Parameter, to: Parameter) =>
    from.place !== to.place &&
    (from.name === to.name ||
      ([from.place, to.place].includes('header') && from.name.toLowerCase() === to.name.toLowerCase()));
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
        use: true,
      },
    );
  }
  takeExploded(comparison, pair, gone, come, (parameter) => called(pair, parameter));
  const kept = () => [...after].filter(([key]) => before.has(key)).map(([, parameter]) => parameter);
  const found = takeRenames(gone, come, alike, evidenceAmong(kept));
  for (const [from, to] of found.renames)
    comparison.report(
      'parameter-renamed',
      pair.below(from.cursor, to.cursor, called(pair, from)),
      `was renamed to \`${to.name}\``,
      {
        before: from.name,
        after: to.name,
        use: true,
      },
    );
  for (const parameter of gone) {
    const { rule, text } = removal(comparison, 'parameter-removed', parameter.cursor);
    const at = pair.below(parameter.cursor, undefined, called(pair, parameter));
    comparison.report(rule, at, `${text}${hintOf(found, parameter)}`);
  }
  for (const parameter of come) {
    const required = isRequired(parameter.cursor);
    comparison.report(
      required ? 'required-parameter-added' : 'parameter-added',
      pair.below(undefined, parameter.cursor, called(pair, parameter)),
      `was added${required ? ', and is required' : ''}`,
    );
  }
}

const called = ({ where }: Pair, { place, name }: Pick<Parameter, 'name' | 'place'>): string =>
  `${where}, ${place} parameter ${name}`;

/**
 * The parameters of the path and of the operation, which wins; by place and name. Those of a path are known by their position
 * in it: their names are in no request. One that the path does not name takes the first position that nothing describes: it
 * is a slip of the pen, and where there is no such position, it is in no request either.
 */
function parametersOf({ item, cursor, path }: Operation): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  const positions = pathNames(path);
  const strays = new Map<string, Parameter>();
  for (const [, parameter] of [...item.entriesOf('parameters'), ...cursor.entriesOf('parameters')]) {
    const [name, place] = [String(parameter.get('name')), String(parameter.get('in'))];
    if (place === 'header' && ignored.has(name.toLowerCase())) continue;
    const known = { name, place, cursor: parameter };
    if (place === 'path' && !positions.includes(name)) strays.set(name, known);
    else {
      const key = place === 'path' ? positions.indexOf(name) : place === 'header' ? name.toLowerCase() : name;
      found.set(`${place} ${key}`, known);
    }
  }
  const left = [...strays.values()];
  for (const index of positions.keys())
    if (left.length > 0 && !found.has(`path ${index}`)) found.set(`path ${index}`, left.shift()!);
  return found;
}
