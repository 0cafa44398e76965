// Each rule page answers the questions that a failed check raises.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../src/policy/rules.ts';
import { home } from './command/built.ts';

const folder = join(home, 'rules');
const ids = Object.keys(rules);

const partOf = (page: string, heading: string): string =>
  new RegExp(`^## ${heading}\\n+([\\s\\S]*?)(?=^## |^\\[All rules\\])`, 'm').exec(page)?.[1]?.trim() ?? '';

test('there is a page for each rule, and the list of all leads to it', () => {
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.sort()).toEqual(ids.map((id) => `${id}.md`).sort());
  const all = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(ids.filter((id) => !all.includes(`[${id}](${id}.md)`))).toEqual([]);
});

describe.each(ids)('the page of %s', (id) => {
  const page = readFileSync(join(folder, `${id}.md`), 'utf8');

  test('tells the impact, and how to avoid the break', () => {
    for (const heading of ['Impact', 'How to avoid the break']) {
      expect(partOf(page, heading).length).toBeGreaterThan(25);
      expect(partOf(page, heading)).toMatch(/[.)`]$/);
    }
    expect(page).toMatch(/^\*\*Level: .+ Class: .+\.\*\*$/m);
  });

  test('shows what is before and after, and that these differ', () => {
    const sides = [...page.matchAll(/^(Before|After):\n\n```yaml\n([\s\S]*?)```$/gm)];
    expect(sides.length).toBeGreaterThan(0);
    expect(sides.map(([, side]) => side)).toEqual(sides.map((_, index) => (index % 2 === 0 ? 'Before' : 'After')));
    for (let index = 0; index < sides.length; index += 2) expect(sides[index]?.[2]).not.toBe(sides[index + 1]?.[2]);
    expect(page).toMatch(/^Required: /m);
  });
});
