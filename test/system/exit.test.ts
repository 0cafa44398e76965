/** Process exit, tested in child processes with V8's trace of compilation threads. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../helpers/command.ts';

const run = promisify(execFile);
const moduleUrl = new URL('../../src/platform/process/exit.ts', import.meta.url).href;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => folder.remove());

/** @returns how often the process adopted code compiled in the background */
async function compiledInBackground(first: string): Promise<number> {
  const script = `${first}
    for (let n = 0; n < 100; n++) {
      const each = new Function('x', 'return [' + ('x + ' + n + ',').repeat(200) + '];');
      for (let i = 0; i < 1000; i++) each(i);
    }`;
  const tracing = ['--trace-event-categories', 'v8,disabled-by-default-v8.compile'];
  await run(process.execPath, [...tracing, '--input-type=module', '-e', script], { cwd: folder.path });
  const { traceEvents } = JSON.parse(await readFile(`${folder.path}/node_trace.1.log`, 'utf8'));
  return traceEvents.filter(({ name }: { name: string }) => name === 'V8.FinalizeBaselineConcurrentCompilation').length;
}

test('compiles no baseline code in the background, which could delay process exit', async () => {
  expect(await compiledInBackground('')).toBeGreaterThan(50);
  expect(await compiledInBackground(`await import(${JSON.stringify(moduleUrl)});`)).toBeLessThan(15);
});

test.each([
  ['exit(3)', 3],
  ['process.exitCode = 4; exit()', 4],
])('%s exits with %d, whatever is open', async (script, code) => {
  const module = `const { exit } = await import(${JSON.stringify(moduleUrl)}); setInterval(() => {}, 1_000); ${script};`;
  await expect(run(process.execPath, ['--input-type=module', '-e', module])).rejects.toMatchObject({ code });
});
