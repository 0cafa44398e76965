/** Streams, servers, connections and threads that fail while nobody listens: none of them ends the process. */
import { execFileSync } from 'node:child_process';

const script = new URL('../helpers/fail-alone.ts', import.meta.url).pathname;
const run = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' });
const cases: string[] = JSON.parse(run());

test.each(cases)('%s', (name) => {
  expect(run(name)).toBe('failed\n');
});
