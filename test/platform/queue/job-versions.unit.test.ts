/** Every place that queues a job passes its version. */
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { flagsOf, newerFlags, newestVersion, taskNames } from '../../../src/platform/queue/job-versions.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('every caller passes the flags of its version', async () => {
  const without: string[] = [];
  let callCount = 0;
  for await (const path of glob('src/**/*.ts', { cwd: root })) {
    const source = await readFile(`${root}${path}`, 'utf8');
    for (const [call] of source.matchAll(/\badd_?jobs?\((?=\s*[$'])[^;]*;/gi)) {
      callCount++;
      if (!/\bflags\b/.test(call)) without.push(`${path}: ${call}`);
    }
  }
  expect(callCount).toBeGreaterThan(6);
  expect(without).toEqual([]);
});

test('this version runs the jobs that it queues', () => {
  for (const task of taskNames) {
    for (const flag of flagsOf(task) ?? []) expect(newerFlags).not.toContain(flag);
  }
  expect(newerFlags[0]).toBe(`v${newestVersion + 1}`);
});
