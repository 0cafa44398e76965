/** Streams, servers, connections, and threads that fail without a listener don't crash the process. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../runner/fail-alone.ts', import.meta.url));
const run = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' });
const cases: string[] = JSON.parse(run());

test.each(cases)('%s', (name) => {
  expect(run(name)).toBe('failed\n');
});
