import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Writes a screenshot of the whole page to SCREENSHOT_DIR. Without it, takes none: each takes 0.1 s. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOT_DIR;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
