// Mutation testing of access control, deliveries, tokens, and requests: makes one small mistake at a time in a copy of the
// checkout, and runs the related tests. Lists undetected mutants, and exits with 1 if fewer than 90% are detected.
// ROOM=access (one of `rooms`), MOST=20 mutants per room, chosen with SEED=1
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../random/random.ts';
import { beforeExit } from '../../run/before-exit.ts';
import { type Mutant, mutantsOf } from './mutate.ts';

/** Files, and the tests that must detect their mutants. */
const rooms: Record<string, { files: string; tests: string[] }> = {
  access: {
    files: 'src/product/access/*.ts',
    tests: [
      'test/product/access/*.test.ts',
      'test/api/{permissions,hidden-values,step-up}.test.ts',
      'test/product/connections/{installation-limits,installer-left,suspended-installations}.test.ts',
      'test/api/operations/collaborators/{get,update,create,patch}Collaborator.test.ts',
      'test/api/operations/{collaborators/{listCollaborators,listHistory,assignRole},imports/answerImport}.test.ts',
    ],
  },
  delivery: {
    files: 'src/product/delivery/*.ts',
    tests: ['test/product/{delivery,webhooks}/**/*.test.ts', 'test/platform/process/metrics.test.ts'],
  },
  tokens: {
    files: 'src/identity/tokens/*.ts',
    tests: [
      'test/identity/{token,verify,access-version,flow,storage,clients/dpop}.test.ts',
      'test/{api/cli/access,worker/removeExpired}.test.ts',
      'test/system/oauth/{keys,raced}.test.ts',
    ],
  },
  steps: {
    files: 'src/api/http/steps/*.ts',
    tests: [
      'test/api/http/**/*.test.ts',
      'test/api/read-modify-write.test.ts',
      'test/api/operations/{auth/getAuthUser,documents/uploadDocument}.test.ts',
    ],
  },
};
const { ROOM, MOST = '20', SEED = '1' } = process.env;
/** Time limit of the tests without a mutation. */
const maxMs = 300_000;
/** With one, they may take this many times as long; a hang counts as detected. */
const slowdown = 3;
const minShare = 0.9;

const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
let caught = 0;
const missed: string[] = [];
try {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const path of listed.stdout.split('\0').filter(Boolean)) cpSync(path, join(copy, path));
  spawnSync('cp', ['-al', 'node_modules', copy]);
  for (const built of globSync('packages/*/{dist,node_modules}')) spawnSync('cp', ['-a', built, join(copy, built)]);
  for (const name of ROOM ? [ROOM] : Object.keys(rooms)) await mutateRoom(name);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const share = caught / (caught + missed.length);
console.log(`\n${caught} of ${caught + missed.length} caught (${Math.round(100 * share)} %)`);
for (const each of missed) console.log(`not caught: ${each}`);
process.exitCode = share < minShare ? 1 : 0;

async function mutateRoom(name: string): Promise<void> {
  const room = rooms[name];
  if (!room) throw new Error(`ROOM must be one of ${Object.keys(rooms).join(', ')}.`);
  const tests = room.tests.flatMap((pattern) => globSync(pattern)).sort();
  const startedMs = performance.now();
  if (await fails(tests, maxMs)) throw new Error(`the tests of ${name} fail without a mutation`);
  const limitMs = Math.ceil(slowdown * (performance.now() - startedMs));
  const all = globSync(room.files)
    .sort()
    .flatMap((path) => {
      return mutantsOf(path, readFileSync(path, 'utf8')).map((mutant) => ({ ...mutant, path }));
    });
  const chosen = createRandom(Number(SEED)).shuffled(all).slice(0, Number(MOST));
  console.log(`${name}: ${chosen.length} of ${all.length} mutations, ${tests.length} test files`);
  for (const mutant of chosen) report(mutant, await isCaught(mutant, tests, limitMs));
}

async function isCaught({ path, text }: Mutant & { path: string }, tests: string[], limitMs: number): Promise<boolean> {
  const file = join(copy, path);
  const original = readFileSync(file);
  writeFileSync(file, text);
  try {
    return await fails(tests, limitMs);
  } finally {
    writeFileSync(file, original);
  }
}

async function fails(tests: string[], limitMs: number): Promise<boolean> {
  const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--ci', '--bail'];
  const run = spawn(process.execPath, [...jest, '--runTestsByPath', ...tests], {
    cwd: copy,
    stdio: 'ignore',
    detached: true, // a process group of its own
    timeout: limitMs,
    killSignal: 'SIGINT',
  });
  const forget = beforeExit(() => process.kill(-run.pid!, 'SIGINT'));
  const [code] = (await once(run, 'exit')) as [number | null];
  forget();
  try {
    process.kill(-run.pid!, 'SIGKILL'); // a worker in an endless loop outlives jest
  } catch {} // none is left
  return code !== 0;
}

function report({ path, line, before, after }: Mutant & { path: string }, wasCaught: boolean): void {
  const location = `${path}:${line}: ${excerpt(before)} → ${excerpt(after)}`;
  console.log(`${wasCaught ? 'caught' : 'MISSED'} ${location}`);
  if (wasCaught) caught++;
  else missed.push(location);
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
