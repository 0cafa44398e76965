// Fuzzes a new service with generated requests: every operation of the contract, the pages, and broken HTTP.
//   RUNS=200 requests of each kind for each operation; SEED=… repeats a run; OPERATION=… only this one
import { contractOperations } from '../../../src/contract/contract.ts';
import { tryPages } from './pages.ts';
import { tryBrokenHttp } from './raw.ts';
import { printTable, printViolations } from './report.ts';
import { tryOperation } from './run.ts';
import { hangUp } from './send.ts';
import { createTarget, withAttackedService } from './service.ts';
import { createWorld } from './world.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const runs = Number(process.env.RUNS ?? 100);
const operationFilter = process.env.OPERATION;
/** By then, most code has run: later memory growth is a leak. */
const warmAfter = 15;

await withAttackedService(async (service) => {
  console.log(`SEED=${seed} RUNS=${runs}${operationFilter ? ` OPERATION=${operationFilter}` : ''}\n`);
  const started = performance.now();
  const world = await service.withWorker(async () => createWorld(await createTarget(service, 'fuzz')));
  const tallies = [];
  let beforeMb: number | undefined;
  for (const each of contractOperations) {
    if (operationFilter && each.operation.operationId !== operationFilter) continue;
    tallies.push(await tryOperation(world, each, { seed, runs }));
    if (tallies.length === warmAfter) beforeMb = service.memory();
  }
  if (!operationFilter || operationFilter === '(pages)')
    tallies.push(await tryPages(service, { seed, runs: runs * 6 }));
  if (!operationFilter || operationFilter === '(http)') tallies.push(await tryBrokenHttp(service.base_url));
  hangUp();
  printTable(tallies);
  printViolations(tallies);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const memoryMb = service.memory();
  const memorySummary = `${memoryMb ?? '?'} MB held, after the first ${warmAfter} operations ${beforeMb ?? '?'} MB`;
  console.log(`\n${seconds} s; ${memorySummary}; SEED=${seed}`);
  if (memoryMb && beforeMb && memoryMb > beforeMb * 1.5 + 100)
    throw new Error('memory usage of the service keeps growing');
  if (tallies.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
});
