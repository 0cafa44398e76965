// Benchmarks how the number of operations in the contract affects routing: the lookup with the current operations, and with ten
// times as many. Nothing else in a request depends on their number.
import type { Document } from 'openapi-backend';
import { ContractRouter } from '../../src/api/http/engine/contract-router.ts';
import { contract } from '../../src/contract/contract.ts';
import { formatMedian, markdownTable } from './harness/figures.ts';

const rounds = 9;
const lookups = 500_000;
const paths = ['/v1/collaborators', '/v1/collaborators/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', '/v1/webhooks'];

const copies = Object.entries(contract.paths).flatMap(([path, item]) =>
  Array.from({ length: 9 }, (_, i) => [path.replace(/^\/\w+\//, `$&copies${i}/`), item] as const),
);
const few = routerOf(contract.paths);
const many = routerOf({ ...contract.paths, ...Object.fromEntries(copies) });

function routerOf(paths: object): ContractRouter {
  return new ContractRouter({ definition: { ...contract, paths } as unknown as Document, apiRoot: '/' });
}

/** @returns nanoseconds per lookup */
function time(router: ContractRouter): number {
  const startedMs = performance.now();
  for (let i = 0; i < lookups; i++) {
    router.matchOperation({ method: 'GET', path: paths[i % paths.length]!, headers: {} }, true);
  }
  return ((performance.now() - startedMs) * 1e6) / lookups;
}

time(few);
time(many);
const times = Array.from({ length: rounds }, () => [time(few), time(many)] as const);
const rows = [
  [String(few.getOperations().length), formatMedian(times.map(([one]) => one))],
  [String(many.getOperations().length), formatMedian(times.map(([, ten]) => ten))],
  [
    'ratio',
    formatMedian(
      times.map(([one, ten]) => ten / one),
      2,
    ),
  ],
];
console.log(markdownTable(['operations', 'ns to find the one of a request'], rows));
