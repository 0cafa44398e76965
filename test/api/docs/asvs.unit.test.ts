/** Checks the ASVS table: it lists every requirement of levels 1 and 2 once, and the files and tests it names exist. */
import { existsSync, readFileSync } from 'node:fs';
import { nameFound, testsNamedIn } from './named-tests.ts';

const root = new URL('../../../', import.meta.url);
const text = readFileSync(new URL('docs/security/asvs.md', root), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
  .map(([ids, , verdict, evidence = '']) => ({
    ids: ids!.split(', '),
    verdict: /^(met|not applicable|not met)/.exec(verdict!)![0],
    evidence,
  }));

/**
 * Number of level 1 and 2 requirements in each section of version 5.0.0, and the numbers to skip because they are level
 * 3. Omits sections without any.
 */
const sections: Record<string, { last: number; level3?: number[] }> = {
  '1.1': { last: 2 },
  '1.2': { last: 9 },
  '1.3': { last: 11 },
  '1.4': { last: 3 },
  '1.5': { last: 2 },
  '2.1': { last: 3 },
  '2.2': { last: 3 },
  '2.3': { last: 4 },
  '2.4': { last: 1 },
  '3.2': { last: 2 },
  '3.3': { last: 4 },
  '3.4': { last: 6 },
  '3.5': { last: 5 },
  '3.7': { last: 2 },
  '4.1': { last: 3 },
  '4.2': { last: 1 },
  '4.3': { last: 2 },
  '4.4': { last: 4 },
  '5.1': { last: 1 },
  '5.2': { last: 3 },
  '5.3': { last: 2 },
  '5.4': { last: 3 },
  '6.1': { last: 3 },
  '6.2': { last: 12 },
  '6.3': { last: 4 },
  '6.4': { last: 4 },
  '6.5': { last: 5 },
  '6.6': { last: 3 },
  '6.8': { last: 4 },
  '7.1': { last: 3 },
  '7.2': { last: 4 },
  '7.3': { last: 2 },
  '7.4': { last: 5 },
  '7.5': { last: 2 },
  '7.6': { last: 2 },
  '8.1': { last: 2 },
  '8.2': { last: 3 },
  '8.3': { last: 1 },
  '8.4': { last: 1 },
  '9.1': { last: 3 },
  '9.2': { last: 4 },
  '10.1': { last: 2 },
  '10.2': { last: 2 },
  '10.3': { last: 4 },
  '10.4': { last: 11 },
  '10.5': { last: 5 },
  '10.6': { last: 2 },
  '10.7': { last: 3 },
  '11.1': { last: 2 },
  '11.2': { last: 3 },
  '11.3': { last: 3 },
  '11.4': { last: 4 },
  '11.5': { last: 1 },
  '11.6': { last: 1 },
  '12.1': { last: 3 },
  '12.2': { last: 2 },
  '12.3': { last: 4 },
  '13.1': { last: 1 },
  '13.2': { last: 5 },
  '13.3': { last: 2 },
  '13.4': { last: 5 },
  '14.1': { last: 2 },
  '14.2': { last: 4 },
  '14.3': { last: 3 },
  '15.1': { last: 3 },
  '15.2': { last: 3 },
  '15.3': { last: 7 },
  '16.1': { last: 1 },
  '16.2': { last: 5 },
  '16.3': { last: 4 },
  '16.4': { last: 3 },
  '16.5': { last: 3 },
  '17.1': { last: 1 },
  '17.2': { last: 4 },
  '17.3': { last: 2 },
};
const expected = Object.entries(sections).flatMap(([section, { last, level3 = [] }]) =>
  Array.from({ length: last }, (_, i) => i + 1)
    .filter((number) => !level3.includes(number))
    .map((number) => `${section}.${number}`),
);

test('lists each requirement once', () => {
  expect(expected).toHaveLength(253);
  const found = rows.flatMap(({ ids }) => ids);
  expect([...found].sort()).toEqual([...expected].sort());
});

test.each(['met', 'not applicable', 'not met'])('the number of requirements %s is correct', (verdict) => {
  const counted = rows.filter((row) => row.verdict === verdict).flatMap(({ ids }) => ids).length;
  const [, all, first, second] = new RegExp(`^\\| ${verdict} +\\| (\\d+) +\\| (\\d+) +\\| (\\d+) +\\|$`, 'm').exec(
    text,
  )!;
  expect(Number(all)).toBe(counted);
  expect(Number(first) + Number(second)).toBe(counted);
});

test.each(rows)('$ids: the evidence exists', ({ verdict, evidence }) => {
  const tests = testsNamedIn(evidence);
  expect(tests).toHaveLength([...evidence.matchAll(/“/g)].length);
  const files = [...evidence.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
  if (verdict === 'met') expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect([file, existsSync(new URL(file, root))]).toEqual([file, true]);
  for (const { file, name } of tests)
    expect({ file, name, found: nameFound(file, name) }).toMatchObject({ found: true });
});
