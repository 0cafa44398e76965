/** Streams, servers, connections, and threads that fail without a listener don't crash the process. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../runner/fail-alone.ts', import.meta.url));

test('a failure before anyone listens doesn’t end the process', () => {
  const lines = execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !line.endsWith(': failed'))).toEqual([]);
});
