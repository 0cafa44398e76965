// Rule pages: the explanations that users need after a failed check.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../src/policy/rules.ts';
import { packageRoot } from './command/built-command.ts';

const folder = join(packageRoot, 'rules');
const ids = Object.keys(rules);

const sectionOf = (page: string, heading: string): string =>
  new RegExp(`^## ${heading}\\n+([\\s\\S]*?)(?=^## |^\\[All rules\\])`, 'm').exec(page)?.[1]?.trim() ?? '';

test('every rule has a page, and the index links to it', () => {
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(pages.sort()).toEqual(ids.map((id) => `${id}.md`).sort());
  const all = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(ids.filter((id) => !all.includes(`[${id}](${id}.md)`))).toEqual([]);
});

describe.each(ids)('page of %s', (id) => {
  const page = readFileSync(join(folder, `${id}.md`), 'utf8');

  test('explains the level, the impact, and how to avoid the break', () => {
    for (const heading of ['Impact', 'How to avoid the break']) {
      expect(sectionOf(page, heading).length).toBeGreaterThan(25);
      expect(sectionOf(page, heading)).toMatch(/[.)`]$/);
    }
    expect(page).toMatch(/^\*\*Level: .+ Class: .+\.\*\*$/m);
  });

  test('shows examples with a difference between before and after', () => {
    const examples = [...page.matchAll(/^(Before|After):\n\n```yaml\n([\s\S]*?)```$/gm)];
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.map(([, title]) => title)).toEqual(
      examples.map((_, index) => (index % 2 === 0 ? 'Before' : 'After')),
    );
    for (let index = 0; index < examples.length; index += 2)
      expect(examples[index]?.[2]).not.toBe(examples[index + 1]?.[2]);
    expect(page).toMatch(/^Required: /m);
  });
});
