// Takes the screenshots of README and docs from the current console, with the demo company: into docs/pictures, or the given
// folder. Fails if one is too large for a page.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { exit } from '../../../src/platform/process/exit.ts';
import { launchBrowser } from '../../../test/helpers/browser/browser.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { project } from '../sdk-check/client.ts';

const maxBytes = 100_000;
const windowPx = { width: 1280, height: 800 };
const [folder = join(project, 'docs/pictures')] = process.argv.slice(2);

/** Each has the links to follow from the previous page, and the expected content. */
const shots: readonly { name: string; path: string; open?: (page: Page) => Promise<void> }[] = [
  { name: 'home', path: '' },
  {
    name: 'deliveries',
    path: '/webhooks',
    open: async (page) => {
      await page
        .getByRole('link', { name: /payroll/i })
        .first()
        .click();
      await page.getByText('503').first().waitFor();
    },
  },
  { name: 'people', path: '/people' },
  { name: 'org-chart', path: '/people/org' },
];

await withFreshService(
  process.env,
  'pictures',
  async ({ base_url: baseUrl, password }) => {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ viewport: windowPx, locale: 'en-GB', colorScheme: 'light' });
      const page = await context.newPage();
      await page.goto(`${baseUrl}/console`);
      await page.locator('#email').fill(accounts.admin);
      await page.locator('#password').fill(password);
      await page.locator('button.primary').click();
      await page.waitForURL((url) => /^\/console\/[0-9a-f-]{36}/.test(url.pathname));
      const company = new URL(page.url()).pathname.split('/')[2]!;
      await mkdir(folder, { recursive: true });
      for (const { name, path, open } of shots) {
        await page.goto(`${baseUrl}/console/${company}${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForLoadState('networkidle');
        await open?.(page);
        await page.waitForLoadState('networkidle');
        await savePicture(name, await page.screenshot());
      }
    } finally {
      await browser.close();
    }
  },
  true,
);
exit();

async function savePicture(name: string, png: Buffer): Promise<void> {
  const webp = await sharp(png).webp({ quality: 80, effort: 6 }).toBuffer();
  if (webp.length > maxBytes) throw new Error(`${name}.webp would have ${webp.length} bytes`);
  await writeFile(join(folder, `${name}.webp`), webp);
  console.log(`${name}.webp: ${webp.length} bytes`);
}
