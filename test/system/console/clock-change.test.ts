/** Deliveries by hour on the night when clocks go back: two hours have the same name. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { expectVisibleTexts } from '../../helpers/browser/locators.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addDelivery, addWebhook } from '../../helpers/resources/webhooks.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const hourMs = 3_600_000;

test('a new delivery is added above both hours of the same name', async () => {
  const lastMs = Math.floor(Date.now() / hourMs) * hourMs;
  const webhook = await addWebhook(app, { url: 'https://hooks.example.com/night' });
  const deliver = (agoHours: number) =>
    addDelivery(app, webhook, { status: 'succeeded', created_at: new Date(lastMs - agoHours * hourMs).toISOString() });
  await deliver(2);
  await deliver(3);
  const options = { timezoneId: 'Europe/Lisbon' };
  const { page, context, problems } = await openConsole(app, browser, 'admin', `/${app.company_id}/people`, options);
  // The service counts the hours until now; the night is that of 25 October 2026.
  const offsetMs = Date.parse('2026-10-25T03:00:00Z') - lastMs;
  await page.route('**/v1/webhooks/delivery-counts?*', async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: { hour: string }[] };
    const moved = data.map((each) => ({
      ...each,
      hour: new Date(Date.parse(each.hour) + offsetMs).toISOString(),
    }));
    await route.fulfill({ response, json: { ...rest, data: moved } });
  });
  await page.goto(`${app.base_url}/console/${app.company_id}`);
  const panel = page.getByRole('region', { name: 'Deliveries' });
  await panel.scrollIntoViewIfNeeded();
  await panel.getByText('Show as a table').click();
  await panel.getByRole('rowheader').nth(1).waitFor();
  await expectVisibleTexts(panel.getByRole('rowheader'), ['01:00', '01:00']);
  await deliver(0);
  await eventually(async () => {
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await panel.getByText('3 deliveries').first().waitFor({ timeout: 1_000 });
  });
  await expectVisibleTexts(panel.getByRole('rowheader'), ['03:00', '01:00', '01:00']);
  expect(problems).toEqual([]);
  await context.close();
});
