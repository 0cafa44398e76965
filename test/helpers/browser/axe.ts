/** Accessibility checks of a page with axe. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * @param rule the only one to check, which takes half the time
 * @returns the violations of WCAG 2.2 AA and axe's best practices in the page's current state, one line each
 */
export async function axeViolations(page: Page, rule?: string): Promise<string[]> {
  // Evaluating the script directly bypasses the page's Content-Security-Policy.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await readFile(axe, 'utf8'));
  // A color in transition isn't the one people read. A button fades in when its action ends, which may be during the check.
  await page.evaluate(`{
    const still = new CSSStyleSheet();
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
  }`);
  // Guards around popups move the focus on as soon as they get it, which the rule allows (ACT 6cfa84), but axe can't know.
  const context = "{ include: document, exclude: ['[data-base-ui-focus-guard]'] }";
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly: rule && [rule] });
  const { violations } = (await page.evaluate(`axe.run(${context}, ${options})`)) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
}
