// Measures what more operations in the contract cost the others: finding the operation of a request, with as many as
// there are, and with ten times as many. Nothing else of a request depends on their number.
import { loadOperations } from '../../src/api/http/operation-record.ts';
import { buildRoutes, type Routes } from '../../src/api/http/routes.ts';
import { markdownTable, rangeOf, shownRange } from './figures.ts';

const rounds = 9;
const lookups = 500_000;
const paths = ['/v1/collaborators', '/v1/collaborators/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', '/v1/webhooks'];

const records = loadOperations();
const copies = Array.from({ length: 9 }, (_, i) =>
  records.map((record) => ({ ...record, path: record.path.replace(/^\/\w+\//, `$&copies${i}/`) })),
);
const few = buildRoutes(records);
const many = buildRoutes([...records, ...copies.flat()]);

/** @returns nanoseconds a lookup */
function time(routes: Routes): number {
  const began = performance.now();
  for (let i = 0; i < lookups; i++) {
    if (!routes('GET', paths[i % paths.length]!)) throw new Error('not found');
  }
  return ((performance.now() - began) * 1e6) / lookups;
}

time(few);
time(many);
const times = Array.from({ length: rounds }, () => [time(few), time(many)] as const);
const rows = [
  [String(records.length), shownRange(rangeOf(times.map(([one]) => one)))],
  [String(records.length * 10), shownRange(rangeOf(times.map(([, ten]) => ten)))],
  ['ratio', shownRange(rangeOf(times.map(([one, ten]) => ten / one)), 2)],
];
console.log(markdownTable(['operations', 'ns to find the one of a request'], rows));
