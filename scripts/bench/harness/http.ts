// Compares the deployed service with peers that do the same work on the same database, alternating: node:http and pg, fastify,
// express-openapi-validator, and pgbench as the database's limit. All get the same random requests (requests.ts), on a database
// that has seen writes for a while. Writes docs/benchmarks/http.md and all figures; for company sizes other than 10,000,
// http-SIZE.md. The database has five times as many people.
// REPETITIONS=4 SECONDS=3 WARM_UP_SECONDS=2 CHANGES=100000 PEOPLE=10000; SHORT=1 takes four minutes
import { deepStrictEqual } from 'node:assert';
import { sequenceOf } from '../requests.ts';
import { addManagers, type Caller, signInAll } from './callers.ts';
import { startBenchDatabase } from './database.ts';
import { rangeOf } from './figures.ts';
import { fill } from './fill.ts';
import { constantRateLoad, type LoadResult, load, loadWith, type PacedResult } from './load.ts';
import { orderOf } from './order.ts';
import { findPgbench } from './pgbench.ts';
import { type Method, type OperationMeasurements, printOperation, writePage } from './report.ts';
import { isMeasured, service, startCandidates } from './servers-under-test.ts';

const isShort = Boolean(process.env.SHORT);
const setting = (name: string, fallback: number, shortFallback = fallback) =>
  Number(process.env[name] || (isShort ? shortFallback : fallback));
const method: Method = {
  repetitions: setting('REPETITIONS', 4, 3),
  seconds: setting('SECONDS', 3, 1.5),
  warm_up_s: setting('WARM_UP_SECONDS', 2, 1),
  changes: setting('CHANGES', 100_000, 8_000),
  people: setting('PEOPLE', 10_000),
  connections: 32,
};
const { repetitions, seconds, warm_up_s: warmUpS, changes, people, connections } = method;
const operations = [
  'getCollaborator',
  'listCollaborators',
  'listCollaborators, filtered',
  'listCollaborators, searched',
  'patchCollaborator',
  'createCollaborator',
  'mixed',
];
/** Also measured at half of the highest rate: the service and one peer. */
const paced = {
  operations: ['getCollaborator', 'listCollaborators', 'createCollaborator', 'mixed'],
  peer: 'fastify + pg',
};

const database = await startBenchDatabase();
try {
  await main(database.url);
} finally {
  await database.end();
}

async function main(url: string): Promise<void> {
  // The largest company has a fifth. Without salaries, because the peers don't log salary reads.
  const data = await fill(url, people * 5, 6, { salaries: false, teams: true });
  const members = await addManagers(url, data);
  const candidates = await startCandidates(url);
  const callers = await signInAll(candidates.values().next().value!, members, data);
  await requireSameResponses(candidates, callers.slice(0, 2));
  const pgbench = await findPgbench(url, database.folder, data, people, connections);
  if (!pgbench) console.log('pgbench is not installed: the database limit is not measured.\n');

  const each = Math.ceil(changes / candidates.size);
  for (const [n, baseUrl] of [...candidates.values()].entries()) {
    await loadWith(
      { base_url: baseUrl, sequence: sequenceOf('patchCollaborator', callers, -1 - n), connections },
      each,
    );
  }
  console.log(`${changes} changes written\n`);
  // Warm up with reads until V8 has compiled the common path; contestants with more code take longer.
  const reads = { sequence: sequenceOf('getCollaborator', callers, -1), connections, seconds: 5 * warmUpS };
  for (const baseUrl of candidates.values()) await load({ base_url: baseUrl, ...reads });

  const measured: OperationMeasurements[] = [];
  for (const operation of operations) {
    const result: OperationMeasurements = { operation, runs: new Map(), limit: [], calm: new Map() };
    const runLoad = (baseUrl: string, round: number, seconds: number) =>
      load({ base_url: baseUrl, sequence: sequenceOf(operation, callers, round), connections, seconds });
    const measuredCandidates = [...candidates].filter(([name]) => isMeasured(name, operation));
    for (const [, baseUrl] of measuredCandidates) await runLoad(baseUrl, -1, warmUpS);
    const measures = measuredCandidates.map(([name, baseUrl]) => {
      const runs: LoadResult[] = [];
      result.runs.set(name, runs);
      return async (round: number) => void runs.push(await runLoad(baseUrl, round, seconds));
    });
    if (pgbench?.knows(operation))
      measures.push(async () => void result.limit.push(await pgbench.run(operation, seconds)));
    for (let round = 0; round < repetitions; round++) {
      for (const measure of orderOf(measures, round)) await measure(round);
    }
    if (paced.operations.includes(operation)) {
      const halves = [service, paced.peer].map((name) => {
        const perS = Math.round(rangeOf(result.runs.get(name)!.map((run) => run.per_s)).median / 2);
        const runs: PacedResult[] = [];
        result.calm.set(name, runs);
        return async (round: number) => {
          const sequence = sequenceOf(operation, callers, repetitions + round);
          runs.push(await constantRateLoad({ base_url: candidates.get(name)!, sequence, seconds }, perS));
        };
      });
      for (let round = 0; round < repetitions; round++) {
        for (const measure of orderOf(halves, round)) await measure(round);
      }
    }
    measured.push(result);
    console.log(`${printOperation(result)}\n`);
  }
  await writePage(method, measured);
}

/** Peers do the same work only as long as they respond with the same. */
async function requireSameResponses(candidates: Map<string, string>, callers: Caller[]): Promise<void> {
  for (const { headers, people, role } of callers) {
    for (const path of [`/${people[0]!.id}`, '?per_page=20&page=2&sort=name', '?per_page=20&search=silva&sort=name']) {
      const responses = [...candidates].map(async ([name, baseUrl]) => {
        const response = await fetch(`${baseUrl}/v1/collaborators${path}`, { headers });
        return [name, await response.json()] as const;
      });
      const [[, expected], ...others] = (await Promise.all(responses)) as [[string, unknown], ...[string, unknown][]];
      for (const [name, body] of others)
        deepStrictEqual(body, expected, `${name} responds differently to ${role} ${path}`);
    }
  }
}
