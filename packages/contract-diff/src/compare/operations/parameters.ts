// Compares operation parameters by location and name.

import { type Operation, type Parameter, parametersOf } from '../../load/operations.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { removal } from '../lifecycle.ts';
import { hintOf, matchRenames, renameEvidence, schemaSimilarity } from '../rename.ts';
import { compareValue, isRequired } from './content.ts';
import { matchExploded } from './exploded.ts';

export function compareParameters(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  const [before, after] = [parametersOf(old), parametersOf(now)];
  const [removed, added] = [
    [...before].filter(([key]) => !after.has(key)).map(([, parameter]) => parameter),
    [...after].filter(([key]) => !before.has(key)).map(([, parameter]) => parameter),
  ].map((list) => list.filter(({ stray }) => !stray || stray.matchedSegment !== undefined)) as [
    Parameter[],
    Parameter[],
  ];
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other)
      compareValue(comparison, pair.below(parameter.cursor, other.cursor, label(pair, other)), parameter.place);
  }
  // A parameter that can't occur in a request may come and go.
  for (const [key, { cursor, stray, ...named }] of [...before, ...after])
    if (stray && stray.matchedSegment === undefined && before.has(key) !== after.has(key))
      comparison.report(
        'edit-without-effect',
        before.has(key)
          ? pair.below(cursor, undefined, label(pair, named))
          : pair.below(undefined, cursor, label(pair, named)),
        `was ${before.has(key) ? 'removed' : 'added'}, but no path names it`,
      );
  const similarity = (from: Parameter, to: Parameter) =>
    from.place === to.place ? schemaSimilarity(comparison, from, to) : 0;
  // Header names are case-insensitive, all others are case-sensitive.
  const isMoved = (from: Parameter, to: Parameter) =>
    from.place !== to.place &&
    (from.name === to.name ||
      ([from.place, to.place].includes('header') && from.name.toLowerCase() === to.name.toLowerCase()));
  for (const from of [...removed]) {
    const to = added.find((candidate) => isMoved(from, candidate));
    if (!to) continue;
    removed.splice(removed.indexOf(from), 1);
    added.splice(added.indexOf(to), 1);
    comparison.report(
      'parameter-moved',
      pair.below(from.cursor, to.cursor, label(pair, from)),
      `moved from ${from.place} to ${to.place}`,
      { before: from.place, after: to.place, use: true },
    );
  }
  matchExploded(comparison, pair, removed, added, (parameter) => label(pair, parameter));
  const unchangedSiblings = () => [...after].filter(([key]) => before.has(key)).map(([, parameter]) => parameter);
  const found = matchRenames(removed, added, similarity, renameEvidence(unchangedSiblings));
  for (const [from, to] of found.renames)
    comparison.report(
      'parameter-renamed',
      pair.below(from.cursor, to.cursor, label(pair, from)),
      `was renamed to \`${to.name}\``,
      { before: from.name, after: to.name, use: true },
    );
  for (const parameter of removed) {
    const { rule, text } = removal(comparison, 'parameter-removed', parameter.cursor);
    const at = pair.below(parameter.cursor, undefined, label(pair, parameter));
    comparison.report(rule, at, `${text}${hintOf(found, parameter)}`);
  }
  for (const parameter of added) {
    const required = isRequired(parameter.cursor);
    comparison.report(
      required ? 'required-parameter-added' : 'parameter-added',
      pair.below(undefined, parameter.cursor, label(pair, parameter)),
      `was added${required ? ', and is required' : ''}`,
    );
  }
}

const label = ({ where }: Pair, { place, name }: Pick<Parameter, 'name' | 'place'>): string =>
  `${where}, ${place} parameter ${name}`;
