// Matches the operations of both documents, and finds added and removed ones.

import { type Operation, operationLabel, operationsOf, shapeOf } from '../../load/operations.ts';
import { equal, isObject } from '../../model/json.ts';
import { type Comparison, type Pair, responseTraffic, type Traffic } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { isUnstable, removal } from '../lifecycle.ts';
import { matchRenames, nameSimilarity, overlap, proseOf } from '../rename.ts';
import { compareOperation } from './operation.ts';

/**
 * Matches operations by method and path shape, then by operationId, then by `x-renamed-from` and similarity. Compares matched
 * ones, and reports the others.
 * @param label name of an operation in messages
 * @param prefixes of old and new paths, if a prefix moved between server URLs and paths
 */
export function compareOperations(
  comparison: Comparison,
  container: Pair,
  traffic: Traffic,
  [old, now]: readonly [Operation[], Operation[]],
  label: (operation: Operation) => string,
  [oldPrefix, newPrefix]: readonly [string, string] = ['', ''],
): void {
  const keyOf = ({ method, path }: Operation, prefix: string) => `${method} ${shapeOf(prefix + path)}`;
  const byKey = new Map(now.map((operation) => [keyOf(operation, newPrefix), operation]));
  const removed: Operation[] = [];
  const trafficOf = (operation: Operation): Traffic =>
    isUnstable(comparison, operation) ? { ...traffic, unstable: true } : traffic;
  // Compare promised operations first: shared parts are classified once, and then as promised.
  const stableFirst = [...old].sort((a, b) => Number(isUnstable(comparison, a)) - Number(isUnstable(comparison, b)));
  for (const operation of stableFirst) {
    const key = keyOf(operation, oldPrefix);
    const same = byKey.get(key);
    if (!same) removed.push(operation);
    else {
      byKey.delete(key);
      const item = container.below(operation.item, same.item, label(same), trafficOf(operation));
      const pair = item.below(operation.cursor, same.cursor, label(same));
      compareOperation(comparison, pair, operation, same);
      compareCallbacks(comparison, pair);
    }
  }
  const added = [...byKey.values()];
  const isWebhook = traffic.scope === 'webhook_payload' && container.parent === undefined;
  for (const [from, to] of matchMoves(removed, added, old)) {
    const pair = container.below(from.cursor, to.cursor, label(from), trafficOf(from));
    comparison.report(isWebhook ? 'webhook-renamed' : 'operation-moved', pair, `is now ${label(to)}`, {
      before: label(from),
      after: label(to),
    });
  }
  for (const operation of removed) {
    const { rule, text } = removal(comparison, isWebhook ? 'webhook-removed' : 'operation-removed', operation.cursor);
    const pair = container.below(operation.cursor, undefined, label(operation), trafficOf(operation));
    comparison.report(rule, pair, text, { before: label(operation) });
  }
  for (const operation of added)
    comparison.report(
      isWebhook ? 'webhook-added' : 'operation-added',
      container.below(undefined, operation.cursor, label(operation), trafficOf(operation)),
      'was added',
      { after: label(operation) },
    );
}

/** Beyond this limit it is a new document, and pairwise comparison costs too much. */
const maxMoves = 10_000;

/** Matches moved operations, and removes them from both lists. @param old all operations of the old document */
function matchMoves(removed: Operation[], added: Operation[], old: readonly Operation[]): [Operation, Operation][] {
  const moves: [Operation, Operation][] = [];
  for (const from of [...removed]) {
    const to = from.operationId && added.find(({ operationId }) => operationId === from.operationId);
    if (!to) continue;
    removed.splice(removed.indexOf(from), 1);
    added.splice(added.indexOf(to), 1);
    moves.push([from, to]);
  }
  if (removed.length * added.length > maxMoves) return moves;
  const named = (operations: Operation[]) => operations.map((operation) => ({ ...operation, name: operation.path }));
  const [left, right] = [named(removed), named(added)];
  const unchanged = old.filter((operation) => !removed.includes(operation));
  for (const [from, to] of matchRenames(left, right, similarity, moveEvidence(unchanged)).renames)
    moves.push([extract(removed, from), extract(added, to)]);
  return moves;
}

const extract = (operations: Operation[], { cursor }: Operation): Operation =>
  operations.splice(
    operations.findIndex((operation) => operation.cursor === cursor),
    1,
  )[0]!;

/** Similarity of two operations' requests and responses, from 0 to 1; 0 for different methods. */
function similarity(from: Operation, to: Operation): number {
  if (from.method !== to.method || !isObject(from.cursor.value) || !isObject(to.cursor.value)) return 0;
  const parts = ['parameters', 'requestBody', 'responses'] as const;
  const same = parts.filter((part) => equal(from.cursor.get(part), to.cursor.get(part))).length / parts.length;
  const [a, b] = [from.cursor, to.cursor].map((cursor) =>
    JSON.stringify(cursor.get('requestBody') ?? cursor.get('responses') ?? ''),
  ) as [string, string];
  return Math.max(same, (overlap(a, b) + nameSimilarity(from.path, to.path)) / 2);
}

/** Descriptions that share this fraction of their words count as the same, if they have enough words. */
const minProseOverlap = 0.6;
const minWords = 3;
/** Path segments this similar count as versions of each other: v1alpha1 and v1alpha2. */
const minPartSimilarity = 0.75;

/**
 * Evidence besides shape that an operation moved, because similar operations have similar shapes: the same prose, unless an
 * unchanged operation has it as well; a path with only spelling changes; or the same last path segment with no other change.
 */
function moveEvidence(unchanged: readonly Operation[]) {
  const common = new Map<string, boolean>();
  const isCommon = (prose: string) => {
    const known =
      common.get(prose) ?? unchanged.some((operation) => overlap(proseOf(operation.cursor), prose) >= minProseOverlap);
    common.set(prose, known);
    return known;
  };
  return (from: Operation, to: Operation, contents: number): boolean => {
    const [before, after] = [proseOf(from.cursor), proseOf(to.cursor)];
    const proseOverlap = overlap(before, after);
    const proseMatches = before.split(' ').length >= minWords && proseOverlap >= minProseOverlap;
    if (proseMatches && !isCommon(before) && !isCommon(after)) return contents >= 0.5;
    const [old, now] = [from, to].map(({ path }) => path.split('/').filter(isFixed)) as [string[], string[]];
    if (
      proseMatches &&
      old.length === now.length &&
      old.every((part, index) => nameSimilarity(part, now[index]!) >= minPartSimilarity)
    )
      return contents >= 0.5;
    const proseAllowsMove = before === '' || after === '' || (proseOverlap > 0 && !isCommon(before));
    return contents === 1 && old.at(-1) === now.at(-1) && proseAllowsMove;
  };
}

const isFixed = (part: string) => part !== '' && !part.startsWith('{');

/** Requests that the service sends to URLs from a request. */
function compareCallbacks(comparison: Comparison, pair: Pair): void {
  const traffic = responseTraffic(pair.traffic);
  for (const callback of pair.at('callbacks').members((name) => `${pair.where}, callback ${name}`, traffic)) {
    if (comparison.reportOneSided(callback, 'callback-removed', 'callback-added')) continue;
    compareExtensions(comparison, callback);
    const [old, now] = [callback.base, callback.revised].map((side) => operationsOf(side!.members()));
    const label = (operation: Operation) => `${callback.where}, ${operationLabel(operation)}`;
    compareOperations(comparison, callback, traffic, [old!, now!], label);
  }
}
