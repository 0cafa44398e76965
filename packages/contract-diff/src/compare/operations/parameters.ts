// Compares operation parameters by location and name.

import { type Operation, type Parameter, parametersOf } from '../../load/operations.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { removal } from '../lifecycle.ts';
import { evidenceAmong, hintOf, likenessOfSchemas, takeRenames } from '../rename.ts';
import { compareValue, isRequired } from './content.ts';
import { takeExploded } from './exploded.ts';

export function compareParameters(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  const [before, after] = [parametersOf(old), parametersOf(now)];
  const [gone, come] = [
    [...before].filter(([key]) => !after.has(key)).map(([, parameter]) => parameter),
    [...after].filter(([key]) => !before.has(key)).map(([, parameter]) => parameter),
  ].map((list) => list.filter(({ stray }) => !stray || stray.takenFor !== undefined)) as [Parameter[], Parameter[]];
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other)
      compareValue(comparison, pair.below(parameter.cursor, other.cursor, called(pair, other)), parameter.place);
  }
  // A parameter that can't occur in a request may come and go.
  for (const [key, { cursor, stray, ...named }] of [...before, ...after])
    if (stray && stray.takenFor === undefined && before.has(key) !== after.has(key))
      comparison.report(
        'edit-without-effect',
        before.has(key)
          ? pair.below(cursor, undefined, called(pair, named))
          : pair.below(undefined, cursor, called(pair, named)),
        `was ${before.has(key) ? 'removed' : 'added'}, but no path names it`,
      );
  const alike = (from: Parameter, to: Parameter) =>
    from.place === to.place ? likenessOfSchemas(comparison, from, to) : 0;
  // Header names are case-insensitive, all others are case-sensitive.
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
      { before: from.place, after: to.place, use: true },
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
      { before: from.name, after: to.name, use: true },
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
