// Takes screenshots of every sign-in page and email in each language. Fails if a page is wider than its window.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Language, languageTags } from '../../../src/contract/languages/language.ts';
import { developmentSettings } from '../../../src/platform/config/development.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { launchBrowser } from '../../../test/helpers/browser/browser.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { project } from '../sdk-check/client.ts';
import { accountPages } from './account-pages.ts';
import { type People, preparePeople } from './people.ts';

const widths = { desktop: 1280, phone: 390 };
const heights = { desktop: 900, phone: 844 };
const newPassword = 'a river runs past the mill';
const folder = join(project, '.data/screenshots');
const tooWide: string[] = [];

await withFreshService(
  process.env,
  'screenshots',
  async ({ base_url: baseUrl, client_id: clientId, db }, environment) => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const { DEMO_PASSWORD: password } = await developmentSettings(environment);
    const people = await preparePeople({ base_url: baseUrl, client_id: clientId, db, password, environment });
    const browser = await launchBrowser();
    try {
      for (const language of Object.keys(languageTags) as Language[]) {
        await walk({ browser, language, base_url: baseUrl, client_id: clientId, password, people });
      }
    } finally {
      await browser.close();
    }
  },
);
console.log(`pictures: ${folder}`);
if (tooWide.length > 0) {
  console.error(`wider than the window: ${tooWide.join(', ')}`);
  process.exitCode = 1;
}
exit();

interface Walk {
  browser: Browser;
  language: Language;
  base_url: string;
  client_id: string;
  password: string;
  people: People;
}

async function walk(turn: Walk): Promise<void> {
  const { browser, language, people } = turn;
  const context = await browser.newContext({ locale: languageTags[language], deviceScaleFactor: 1 });
  const page = await context.newPage();
  await signInPages(turn, page);
  await linkPages(turn, page);
  const mail = await context.newPage(); // without our content security policy
  for (const [name, html] of await people.mails(language)) {
    await mail.setContent(html);
    await capture(mail, language, `mail-${name}`);
  }
  await context.close();
}

async function signInPages(
  { base_url: baseUrl, client_id: clientId, language, password, people }: Walk,
  page: Page,
): Promise<void> {
  const show = (name: string) => capture(page, language, name);
  await page.goto(authorization(baseUrl, clientId));
  await show('sign-in');
  await submit(page, { email: accounts.admin, password: 'wrong' });
  await show('sign-in-failed');
  await submit(page, { email: accounts.admin, password });
  await show('consent');
  await submit(page, {});
  await show('consent-failed');
  await page.goto(people.installing);
  await show('consent-installation');
  await page.goto(people.installation);
  await show('installation');
  await accountPages({ page, base_url: baseUrl, password, show });
  await page.goto(`${baseUrl}/oauth/sign-out`);
  await show('sign-out');
  await submit(page, {});
  await show('signed-out');
  await page.goto(`${baseUrl}/oauth/authorize?client_id=unknown`);
  await show('error');
  await page.goto(`${baseUrl}/oauth/interaction/unknown`);
  await show('expired');
  await page.goto(authorization(baseUrl, clientId));
  await page.goto(`${page.url()}?notice=password-changed`);
  await show('sign-in-after-reset');
  await page.goto(`${baseUrl}/oauth/forgot`);
  await page.evaluate(`document.querySelector('[name=csrf_token]').value = ''`);
  await submit(page, { email: accounts.admin });
  await show('refused');
}

async function linkPages({ base_url: baseUrl, language, password, people }: Walk, page: Page): Promise<void> {
  const show = (name: string) => capture(page, language, name);
  const twice = (text: string) => ({ password: text, password_again: text });
  await page.goto(await people.invitation(language));
  await show('invitation');
  await submit(page, twice('password1234567'));
  await show('invitation-failed');
  await submit(page, twice(newPassword));
  await show('invitation-accepted');
  await page.goto(`${baseUrl}/oauth/invitation/old`);
  await show('invitation-gone');
  await page.goto(await people.secondInvitation(language));
  await show('invitation-with-account');

  await page.goto(`${baseUrl}/oauth/forgot`);
  await show('forgot');
  await submit(page, { email: people.known(language) });
  await show('forgot-sent');
  await page.goto(await people.reset(language));
  await show('reset');
  await submit(page, { password: newPassword, password_again: password });
  await show('reset-failed');
  await submit(page, twice(newPassword));
  await show('reset-changed');
  await page.goto(`${baseUrl}/oauth/reset/old`);
  await show('reset-gone');

  await page.goto(await people.newAddress(language));
  await show('address');
  await submit(page, { password: 'wrong' });
  await show('address-failed');
  await submit(page, { password: newPassword });
  await show('address-changed');
  await page.goto(`${baseUrl}/oauth/address/old`);
  await show('address-gone');
}

/** Fills in fields by id, and clicks the primary button, whatever its label. */
async function submit(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [id, value] of Object.entries(fields)) await page.locator(`#${id}`).fill(value);
  await Promise.all([page.waitForNavigation(), page.locator('button.primary').click()]);
}

async function capture(page: Page, language: Language, name: string): Promise<void> {
  for (const device of ['desktop', 'phone'] as const) {
    await page.setViewportSize({ width: widths[device], height: heights[device] });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const picture = `${name}-${device}-${language}${colorScheme === 'dark' ? '-dark' : ''}.png`;
      await page.screenshot({ path: join(folder, picture), fullPage: true });
    }
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    if (wider) tooWide.push(`${name}-${device}-${language}`);
  }
}

function authorization(baseUrl: string, clientId: string): string {
  const scope =
    'openid profile offline_access collaborators:read collaborators:write salary:read documents:write webhooks:manage';
  const query = {
    client_id: clientId,
    scope,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1/callback',
    state: 'x',
  };
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  return `${baseUrl}/oauth/authorize?${new URLSearchParams({ ...query, ...pkce })}`;
}
