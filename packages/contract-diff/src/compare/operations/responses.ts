// Compares responses: status codes, headers, bodies, and links.

import type { Cursor } from '../../load/document.ts';
import { equal, isObject } from '../../model/json.ts';
import { type Comparison, type Pair, responseTraffic } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { compareWords } from '../prose.ts';
import { compareContent, compareHeaders, compareSharedContent } from './content.ts';

/** Compares the responses of two operations, which go in the opposite direction of the request. */
export function compareResponses(comparison: Comparison, operation: Pair): void {
  const traffic = responseTraffic(operation.traffic);
  const pair = operation.at('responses', operation.where, traffic);
  compareExtensions(comparison, pair);
  const [old, now] = [responsesOf(pair.base), responsesOf(pair.revised)];
  const where = (status: string) => `${operation.where}, response ${status}`;
  const removedEntries = [...old].filter(([status]) => !now.has(status));
  const addedEntries = [...now].filter(([status]) => !old.has(status));
  for (const [status, base] of old) {
    const revised = now.get(status);
    if (revised) compareResponse(comparison, pair.below(base, revised, where(status)), status, true);
  }
  for (const from of [...removedEntries]) {
    const to = addedEntries.find(([status]) => replaces(from[0], status));
    if (!to) continue;
    removedEntries.splice(removedEntries.indexOf(from), 1);
    addedEntries.splice(addedEntries.indexOf(to), 1);
    // Accepted values may widen; emitted ones must not.
    const widened = covers(to[0], from[0]);
    const both = pair.below(from[1], to[1], where(from[0]));
    const rule =
      !widened && !covers(from[0], to[0]) ? 'status-replaced' : widened ? 'status-widened' : 'status-narrowed';
    comparison.report(rule, both, `${from[0]} became ${to[0]}`, { before: from[0], after: to[0], use: true });
    compareResponse(comparison, both, bodiless.test(from[0]) ? to[0] : from[0], false);
  }
  for (const [status, cursor] of removedEntries)
    comparison.report('status-removed', pair.below(cursor, undefined, where(status)), 'was removed', {
      before: status,
    });
  const hasSuccess = [...old.keys()].some((status) => /^[123]/.test(status));
  for (const [status, cursor] of addedEntries) {
    const failing = status === 'default' || /^[45]/.test(status);
    const added = pair.below(undefined, cursor, where(status));
    comparison.report(failing ? 'error-status-added' : 'success-status-added', added, 'was added', { after: status });
    // A response moved from a range to its own entry. If there is another success entry, `default` means errors.
    const ranges = failing || !hasSuccess ? [`${status[0]}XX`, 'default'] : [`${status[0]}XX`];
    const range = ranges.find((candidate) => status !== candidate && old.has(candidate));
    if (range) compareSharedContent(comparison, pair.below(old.get(range), cursor, where(status)));
  }
}

const responsesOf = (cursor: Cursor | undefined): Map<string, Cursor> => new Map(cursor?.members() ?? []);

/** A status can replace another of its class; `default` can't. */
const replaces = (from: string, to: string): boolean => from !== 'default' && to !== 'default' && from[0] === to[0];
const covers = (range: string, status: string): boolean => range.endsWith('XX') && range[0] === status[0];

/** Statuses that never have a body, whatever is declared. */
const bodiless = /^(1..|204|205|304)$/;

/**
 * @param status determines whether there can be a body
 * @param words whether both describe the same response, so that their prose is comparable
 */
function compareResponse(comparison: Comparison, pair: Pair, status: string, words: boolean): void {
  if (comparison.sameness.identical(pair.base?.value, pair.revised?.value)) return;
  if (words) {
    compareWords(comparison, pair);
    compareExtensions(comparison, pair);
  }
  compareHeaders(comparison, pair);
  if (!bodiless.test(status)) compareContent(comparison, pair, false);
  else if (!equal(pair.base?.get('content'), pair.revised?.get('content')))
    comparison.report(
      'impossible-body-changed',
      pair,
      'its described body changed, but this status code never has one',
      { key: 'content' },
    );
  compareLinks(comparison, pair);
}

/** Links describe follow-up requests. */
function compareLinks(comparison: Comparison, response: Pair): void {
  for (const pair of response.at('links').members((name) => `${response.where}, link ${name}`)) {
    if (comparison.reportOneSided(pair, 'link-removed', 'link-added')) continue;
    compareWords(comparison, pair);
    compareExtensions(comparison, pair);
    if (!equal(withoutProse(pair.base!), withoutProse(pair.revised!)))
      comparison.report('link-changed', pair, 'points to another operation, or passes other values');
  }
}

const withoutProse = ({ value }: Cursor): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'description' && !key.startsWith('x-')))
    : value;
