/** Accessibility checks of a page with axe. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core');

/** @returns the violations of WCAG 2.2 AA and axe's best practices in the page's current state, one line each */
export async function axeViolations(page: Page): Promise<string[]> {
  // A pending action would end, and enable its button, during the check.
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  // Evaluating the script directly bypasses the page's Content-Security-Policy.
  await page.evaluate(await readFile(axe, 'utf8'));
  // A color in transition isn't the one people read.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished))`,
  );
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}
