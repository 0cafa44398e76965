// Matches the operations of both documents, and finds added and removed ones.

import { calledOperation, type Operation, operationsOf, shapeOf } from '../../load/operations.ts';
import { equal, isObject } from '../../model/json.ts';
import { answering, type Comparison, type Pair, type Traffic } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { isUnpromised, removal } from '../lifecycle.ts';
import { nearness, overlap, proseOf, takeRenames } from '../rename.ts';
import { compareOperation } from './operation.ts';

/**
 * Matches operations by method and path shape, then by operationId, then by `x-renamed-from` and similarity. Compares matched
 * ones, and reports the others.
 * @param called name of an operation in messages
 * @param prefixes of old and new paths, if a prefix moved between server URLs and paths
 */
export function compareOperations(
  comparison: Comparison,
  around: Pair,
  traffic: Traffic,
  [old, now]: readonly [Operation[], Operation[]],
  called: (operation: Operation) => string,
  [ofOld, ofNow]: readonly [string, string] = ['', ''],
): void {
  const keyOf = ({ method, path }: Operation, prefix: string) => `${method} ${shapeOf(prefix + path)}`;
  const keyed = new Map(now.map((operation) => [keyOf(operation, ofNow), operation]));
  const gone: Operation[] = [];
  const trafficOf = (operation: Operation): Traffic =>
    isUnpromised(comparison, operation) ? { ...traffic, unpromised: true } : traffic;
  // Compare promised operations first: shared parts are classified once, and then as promised.
  const promisedFirst = [...old].sort(
    (a, b) => Number(isUnpromised(comparison, a)) - Number(isUnpromised(comparison, b)),
  );
  for (const operation of promisedFirst) {
    const key = keyOf(operation, ofOld);
    const same = keyed.get(key);
    if (!same) gone.push(operation);
    else {
      keyed.delete(key);
      const item = around.below(operation.item, same.item, called(same), trafficOf(operation));
      const pair = item.below(operation.cursor, same.cursor, called(same));
      compareOperation(comparison, pair, operation, same);
      compareCallbacks(comparison, pair);
    }
  }
  const come = [...keyed.values()];
  const isWebhook = traffic.scope === 'webhook_payload' && around.parent === undefined;
  for (const [from, to] of moved(gone, come, old)) {
    const pair = around.below(from.cursor, to.cursor, called(from), trafficOf(from));
    comparison.report(isWebhook ? 'webhook-renamed' : 'operation-moved', pair, `is now ${called(to)}`, {
      before: called(from),
      after: called(to),
    });
  }
  for (const operation of gone) {
    const { rule, text } = removal(comparison, isWebhook ? 'webhook-removed' : 'operation-removed', operation.cursor);
    const pair = around.below(operation.cursor, undefined, called(operation), trafficOf(operation));
    comparison.report(rule, pair, text, { before: called(operation) });
  }
  for (const operation of come)
    comparison.report(
      isWebhook ? 'webhook-added' : 'operation-added',
      around.below(undefined, operation.cursor, called(operation), trafficOf(operation)),
      'was added',
      { after: called(operation) },
    );
}

/** Beyond this limit it is a new document, and pairwise comparison costs too much. */
const mostMoves = 10_000;

/** Matches moved operations, and removes them from both lists. @param old all operations of the old document */
function moved(gone: Operation[], come: Operation[], old: readonly Operation[]): [Operation, Operation][] {
  const moves: [Operation, Operation][] = [];
  for (const from of [...gone]) {
    const to = from.operationId && come.find(({ operationId }) => operationId === from.operationId);
    if (!to) continue;
    gone.splice(gone.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
    moves.push([from, to]);
  }
  if (gone.length * come.length > mostMoves) return moves;
  const named = (operations: Operation[]) => operations.map((operation) => ({ ...operation, name: operation.path }));
  const [left, right] = [named(gone), named(come)];
  const kept = old.filter((operation) => !gone.includes(operation));
  for (const [from, to] of takeRenames(left, right, likeness, evidenceOfMove(kept)).renames)
    moves.push([take(gone, from), take(come, to)]);
  return moves;
}

const take = (operations: Operation[], { cursor }: Operation): Operation =>
  operations.splice(
    operations.findIndex((operation) => operation.cursor === cursor),
    1,
  )[0]!;

/** Similarity of two operations' requests and responses, from 0 to 1; 0 for different methods. */
function likeness(from: Operation, to: Operation): number {
  if (from.method !== to.method || !isObject(from.cursor.value) || !isObject(to.cursor.value)) return 0;
  const parts = ['parameters', 'requestBody', 'responses'] as const;
  const same = parts.filter((part) => equal(from.cursor.get(part), to.cursor.get(part))).length / parts.length;
  const [a, b] = [from.cursor, to.cursor].map((cursor) =>
    JSON.stringify(cursor.get('requestBody') ?? cursor.get('responses') ?? ''),
  ) as [string, string];
  return Math.max(same, (overlap(a, b) + nearness(from.path, to.path)) / 2);
}

/** Descriptions that share this fraction of their words count as the same, if they have enough words. */
const sameProse = 0.6;
const fewestWords = 3;
/** Path segments this similar count as versions of each other: v1alpha1 and v1alpha2. */
const nearPart = 0.75;

/**
 * Evidence besides shape that an operation moved, because similar operations have similar shapes: the same prose, unless an
 * unchanged operation has it as well; a path with only spelling changes; or the same last path segment with no other change.
 */
function evidenceOfMove(kept: readonly Operation[]) {
  const common = new Map<string, boolean>();
  const isCommon = (prose: string) => {
    const known = common.get(prose) ?? kept.some((operation) => overlap(proseOf(operation.cursor), prose) >= sameProse);
    common.set(prose, known);
    return known;
  };
  return (from: Operation, to: Operation, contents: number): boolean => {
    const [before, after] = [proseOf(from.cursor), proseOf(to.cursor)];
    const said = overlap(before, after);
    const says = before.split(' ').length >= fewestWords && said >= sameProse;
    if (says && !isCommon(before) && !isCommon(after)) return contents >= 0.5;
    const [old, now] = [from, to].map(({ path }) => path.split('/').filter(isFixed)) as [string[], string[]];
    if (says && old.length === now.length && old.every((part, index) => nearness(part, now[index]!) >= nearPart))
      return contents >= 0.5;
    const told = before === '' || after === '' || (said > 0 && !isCommon(before));
    return contents === 1 && old.at(-1) === now.at(-1) && told;
  };
}

const isFixed = (part: string) => part !== '' && !part.startsWith('{');

/** Requests that the service sends to URLs from a request. */
function compareCallbacks(comparison: Comparison, pair: Pair): void {
  const traffic = answering(pair.traffic);
  for (const callback of pair.at('callbacks').members((name) => `${pair.where}, callback ${name}`, traffic)) {
    if (comparison.reportLonely(callback, 'callback-removed', 'callback-added')) continue;
    compareExtensions(comparison, callback);
    const [old, now] = [callback.base, callback.revised].map((side) => operationsOf(side!.members()));
    const called = (operation: Operation) => `${callback.where}, ${calledOperation(operation)}`;
    compareOperations(comparison, callback, traffic, [old!, now!], called);
  }
}
