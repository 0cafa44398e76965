/** Checks the threat table: the tests and code it names exist, and every threat has a test. */
import { existsSync, readFileSync } from 'node:fs';
import { nameFound, testsNamedIn } from './named-tests.ts';

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('docs/security/threats.md', root), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (threat|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

test('covers each of the top ten, and each section of RFC 9700, chapter 4', () => {
  const threats = rows.map(([threat]) => threat!);
  for (let n = 1; n <= 10; n++) expect(threats.some((threat) => threat.startsWith(`API${n} `))).toBe(true);
  for (let n = 1; n <= 17; n++)
    expect(threats.some((threat) => new RegExp(`^4\\.${n}(\\.\\d)? `).test(threat))).toBe(true);
});

test.each(rows)('%s', (_threat, defence, tests) => {
  const named = testsNamedIn(tests!);
  expect(named.length).toBe(tests!.match(/“/g)?.length);
  for (const { file, name } of named) {
    expect({ file, name, found: nameFound(file, name) }).toEqual({ file, name, found: true });
  }
  for (const [, file] of defence!.matchAll(/`(src\/[\w/.-]+)`/g)) {
    expect([file, existsSync(new URL(file!, root))]).toEqual([file, true]);
  }
});
