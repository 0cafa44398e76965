/** Checks how a page looks: wide and light, then as on a phone in dark colors. */
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { takeScreenshot } from './screenshot.ts';

const layouts = [
  { width: 1440, colorScheme: 'light', rule: undefined },
  { width: 390, colorScheme: 'dark', rule: 'color-contrast' },
] as const;

const drawn = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/**
 * Checks that the page fits and passes axe in both layouts, in the second one only the contrast of its colors. Takes a screenshot
 * of each, and leaves the page wide and light.
 */
export async function checkLayouts(page: Page, name: string): Promise<void> {
  for (const { width, colorScheme, rule } of layouts) {
    await show(page, width, colorScheme);
    const errors = await axeViolations(page, rule);
    const actual = await page.evaluate('document.documentElement.scrollWidth');
    expect({ name, width: actual, errors }).toEqual({ name, width, errors: [] });
    await takeScreenshot(page, `${name}-${width}-${colorScheme}`);
  }
  await show(page, layouts[0].width, layouts[0].colorScheme);
}

async function show(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(drawn);
}
