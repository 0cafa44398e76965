// Chaos test: mixed traffic while processes are killed, Postgres restarts, connections break, the disk fills up, and mail server
// and storage go down. Afterwards, every acknowledged write must exist exactly once. SEED=… repeats a run.
import { randomInt } from 'node:crypto';
import { exit } from '../../../src/platform/process/exit.ts';
import { faults } from './faults.ts';
import { report } from './report.ts';
import { runChaos } from './run.ts';

const {
  CLUSTER,
  SEED,
  SECONDS = '60',
  CLIENTS = '50',
  COMPANIES = '5',
  STORAGE = 's3',
  STORAGE_URL,
  FAULTS,
  KEEP,
} = process.env;
if (STORAGE !== 's3' && STORAGE !== 'folder') throw new Error('STORAGE is s3 or folder');
const seed = SEED ? Number(SEED) : randomInt(2 ** 31);
const kinds = FAULTS ? FAULTS.split(',').map((name) => faults[name] ?? unknown(name)) : Object.values(faults);

console.log(
  `SEED=${seed} SECONDS=${SECONDS} CLIENTS=${CLIENTS} COMPANIES=${COMPANIES} STORAGE=${STORAGE_URL ? 'the one given' : STORAGE}\n`,
);
const result = await runChaos({
  seed,
  seconds: Number(SECONDS),
  clients: Number(CLIENTS),
  companies: Number(COMPANIES),
  storage: STORAGE,
  cluster: CLUSTER === '1',
  storageUrl: STORAGE_URL || undefined,
  kinds,
  receivers: ['good', 'slow', 'flaky', 'gone', 'down'],
  pause_ms: 200,
  drainMs: 240_000,
  keepFolder: KEEP === '1',
  log: (line) => console.log(`  ${line}`),
});
console.log(`\n${report(result)}`);
console.log(`\nTo repeat: SEED=${seed} ${CLUSTER ? `CLUSTER=${CLUSTER} ` : ''}make chaos`);
exit(result.trafficLog.violations.length > 0 ? 1 : 0);

function unknown(name: string): never {
  throw new Error(`unknown fault "${name}"; available: ${Object.keys(faults).join(', ')}`);
}
