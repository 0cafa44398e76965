/** What keeps people from reading a page who read with a program, or see little. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core');

/** What axe finds on the page as it is shown now (WCAG 2.2 AA, and its best practices), one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  // Of the page's own policy only its content is looked at; the script of the test goes past it.
  await page.evaluate(await readFile(axe, 'utf8'));
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}
