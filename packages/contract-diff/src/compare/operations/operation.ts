// Compares two operations: request, responses, and security.

import type { Cursor } from '../../load/document.ts';
import { type Operation, pathNames } from '../../load/operations.ts';
import { texts } from '../../model/json.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { compareText, compareWords } from '../prose.ts';
import { compareBody } from './body.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { compareSecurity } from './security.ts';
import { compareServers } from './servers.ts';

/** Compares an operation that exists in both documents. `pair.parent` is the pair of path items. */
export function compareOperation(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  const item = pair.parent!;
  compareSecurity(comparison, pair);
  compareWordsOfItem(comparison, item);
  if (hasOwnServers(pair)) compareServers(comparison, effectiveServers(pair), `${pair.where}, servers`);
  // Fast path: most operations are identical in both versions, including path parameters.
  const { sameness } = comparison;
  if (
    sameness.identical(old.cursor.value, now.cursor.value) &&
    sameness.identical(item.base?.get('parameters'), item.revised?.get('parameters')) &&
    old.path === now.path
  )
    return;
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  compareOperationId(comparison, pair, old, now);
  compareTagsOf(comparison, pair);
  comparePathNames(comparison, pair, old, now);
  compareParameters(comparison, pair, old, now);
  compareBody(comparison, pair.at('requestBody', `${pair.where}, body`), pair);
  compareResponses(comparison, pair);
}

function compareWordsOfItem(comparison: Comparison, item: Pair): void {
  compareText(comparison, item, 'summary');
  compareText(comparison, item, 'description');
  compareExtensions(comparison, item);
}

const hasOwnServers = ({ base, revised, parent }: Pair): boolean =>
  [base, revised, parent?.base, parent?.revised].some((side) => side?.get('servers') !== undefined);

/** The innermost level with servers: operation, path, or document. */
function effectiveServers(pair: Pair): Pair {
  const nearest = (...sides: (Cursor | undefined)[]) =>
    sides.find((side) => side?.get('servers') !== undefined) ?? sides.at(-1);
  const { base, revised, parent } = pair;
  return pair.below(
    nearest(base, parent?.base, base?.document.top),
    nearest(revised, parent?.revised, revised?.document.top),
    pair.where,
  );
}

/** SDKs derive method names from it. */
function compareOperationId(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  if (old.operationId === now.operationId) return;
  comparison.report(
    old.operationId === undefined ? 'operation-id-added' : 'operation-id-changed',
    pair,
    `the operationId changed from ${old.operationId ?? 'none'} to ${now.operationId ?? 'none'}`,
    { key: 'operationId' },
  );
}

/** SDKs group operations into classes by tag. */
function compareTagsOf(comparison: Comparison, pair: Pair): void {
  const [old, now] = [texts(pair.base?.get('tags')), texts(pair.revised?.get('tags'))];
  if (old.length === 0 && now.length > 0)
    comparison.report('first-tag-added', pair, `had no tag and is in ${listed(now)} now`, { key: 'tags' });
  else if (old.some((tag) => !now.includes(tag)))
    comparison.report('tag-moved', pair, `moved from ${listed(old)} to ${listed(now)}`, { key: 'tags' });
  else if (now.some((tag) => !old.includes(tag)))
    comparison.report(
      now[0] === old[0] ? 'tag-added' : 'tag-moved',
      pair,
      `is in ${listed(now)} now, not only in ${listed(old)}`,
      { key: 'tags' },
    );
}

const listed = (tags: readonly string[]): string => (tags.length === 0 ? 'no tag' : tags.join(', '));

/** Requests do not change, but SDKs derive argument names from it. */
function comparePathNames(comparison: Comparison, pair: Pair, old: Operation, now: Operation): void {
  const [before, after] = [pathNames(old.path), pathNames(now.path)];
  for (const [index, name] of before.entries())
    if (name !== after[index])
      comparison.report(
        'path-parameter-renamed',
        pair,
        `the parameter {${name}} of the path is called {${after[index]}} now`,
        { before: old.path, after: now.path },
      );
}
