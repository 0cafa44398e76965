/** The account pages in a real browser: layout, accessibility, and keyboard use. */
import type { Browser, Page } from 'playwright-core';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const password = 'correct horse battery staple';

let service: OAuthService;
let browser: Browser;
let people = 0;

beforeAll(async () => {
  service = await oauthService();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function newPerson(): Promise<string> {
  const email = `person-${++people}@example.com`;
  const details = { name: `Person ${people}`, email, password, position: 'Planner', department: 'Ops' };
  await createPerson(service.database.db, service.company_ids[0]!, details);
  return email;
}

const press = (page: Page, value: string) => page.locator(`button[value="${value}"]`).first().click();

async function signIn(page: Page, email: string, path: string): Promise<void> {
  await page.goto(service.base_url + path);
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(password);
  await press(page, 'login');
  await page.waitForURL(service.base_url + path);
}

test('a person signs in, reauthenticates, and changes their name by keyboard only', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${service.base_url}/account/name`);
  await page.locator('#email:focus').waitFor();
  await page.keyboard.type(await newPerson());
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByText(', confirm your identity').waitFor();
  await page.locator('#password:focus').waitFor();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.locator('#name:focus').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Somebody Else');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your name was changed' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Somebody Else').waitFor();
  await context.close();
});

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', deviceScaleFactor: 2 } as const;

test('pages fit a phone, and pass axe', async () => {
  const context = await browser.newContext({ ...phone, locale: 'pt-BR' });
  const page = await context.newPage();
  const capture = async (name: string) => {
    await takeScreenshot(page, `${name}-phone-pt-BR`);
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect([name, wider]).toEqual([name, false]);
    expect([name, await axeViolations(page)]).toEqual([name, []]);
    const targets = page.locator('button, a, input:not([type=hidden])').filter({ visible: true });
    const heights = await targets.evaluateAll((all) => all.map((target) => target.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  };
  const goto = (path: string) => page.goto(service.base_url + path);
  await signIn(page, await newPerson(), '/account');
  await capture('1-account');
  await goto('/account/address');
  await capture('2-proof');
  await page.locator('#password').fill('wrong');
  await press(page, 'prove');
  await page.getByRole('alert').waitFor();
  await capture('3-proof-failed');
  await page.locator('#password').fill(password);
  await press(page, 'prove');
  await page.locator('#email').waitFor();
  await capture('4-address');
  await page.locator('#email').fill('somebody@else.example');
  await press(page, 'ask');
  await page.locator('a.button').waitFor();
  await capture('5-address-asked');
  for (const [name, path] of [
    ['6-name', '/account/name'],
    ['7-password', '/account/password'],
    ['8-devices', '/account/devices'],
    ['9-apps', '/account/apps'],
    ['10-companies', '/account/companies'],
  ] as const) {
    await goto(path);
    await capture(name);
  }
  await press(page, 'leave');
  await page.locator('button[value="leave-now"]').waitFor();
  await capture('11-leave');
  await press(page, 'leave-now');
  await page.locator('a.button').waitFor();
  await capture('12-left');
  await goto('/account/devices');
  await press(page, 'sign-out-everywhere');
  await page.waitForLoadState();
  await capture('13-signed-out');
  await context.close();
});
