/** Common tasks of a first-time user, measured in clicks, keystrokes, and screens to read, so that extra steps show. */
import type { Browser, Locator } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

/** Seconds a person needs. */
const pace = { press: 1, key: 0.2, screen: 2 };
/** Signing in: type email and password, and press the button. */
const signIn = 3 * pace.press + 50 * pace.key + pace.screen;

let app: TestApp;
let worker: TestWorker;
let hook: Receiver;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  worker = await testWorker(app);
  hook = await receiver();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await hook?.close();
  await worker?.stop();
  await app?.close();
});

/** A user who reads each screen before acting, with the time it takes them. */
function newcomer(startSeconds = 0) {
  const spent = { seconds: startSeconds };
  return {
    spent,
    async reads(element: Locator) {
      await element.waitFor();
      spent.seconds += pace.screen;
    },
    async presses(target: Locator) {
      await target.click();
      spent.seconds += pace.press;
    },
    /** In the browser's file dialog: open, find, and choose the file. */
    async chooses(field: Locator, file: Parameters<Locator['setInputFiles']>[0]) {
      await field.setInputFiles(file);
      spent.seconds += 3 * pace.press;
    },
    corrects(cells: readonly string[]) {
      for (const text of cells) spent.seconds += pace.screen + pace.press + text.length * pace.key;
      spent.seconds += 2 * pace.press; // to save
    },
  };
}

test('a failed delivery is explained within half a minute after sign-in', async () => {
  hook.respond((response) => {
    response.statusCode = 503;
    response.end('no paper in the badge printer');
  });
  const url = `${hook.url}badges`;
  await app.admin.post('/v1/webhooks', { url, events: ['collaborator.created'] }).expect(201);
  const person = { name: 'Ana Prado', email: 'ana.prado@example.com', position: 'Driver', department: 'Field' };
  await app.admin.post('/v1/collaborators', person).expect(201);
  const { page, done } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses } = newcomer(signIn);
  const endpoint = page.getByRole('link', { name: url }); // on the home screen, without a search
  await reads(endpoint);
  await presses(endpoint);
  await reads(page.getByText('Retrying'));
  await presses(page.getByRole('link', { name: 'collaborator.created' }));
  const reason = page.getByText('no paper in the badge printer');
  await reads(reason);
  await reads(page.getByText('The endpoint returned 503'));
  expect(await page.evaluate('window.scrollY')).toBe(0);
  for (const locator of [reason, page.getByText('Next attempt').first()]) {
    const { y, height } = (await locator.boundingBox())!;
    expect(y + height).toBeLessThan(900); // visible without scrolling
  }
  expect(spent.seconds).toBeLessThan(30);
  await done();
});

test('a file with three errors is corrected and imported within two minutes', async () => {
  const rows = [
    ['Aiko Tanabe', 'aiko@tasks.example', 'Analyst', 'Fleet'],
    ['Bruno Reis', 'bruno.tasks.example', 'Analyst', 'Fleet'],
    ['Carla Melo', 'carla@tasks.example', 'Analyst', null],
    ['D', 'davi@tasks.example', 'Driver', 'Fleet'],
  ];
  const file = () => ({ name: 'new.csv', mimeType: 'text/csv', buffer: csv([requiredHeaders, ...rows]) });
  const { page, done } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses, chooses, corrects } = newcomer();
  const imports = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Imports' });
  await reads(imports);
  await presses(imports);
  await reads(page.getByText('No imports yet'));
  await presses(page.getByRole('link', { name: 'Import a file' }));
  await reads(page.getByLabel('File of people'));
  await chooses(page.getByLabel('File of people'), file());
  await reads(page.getByRole('heading', { name: '3 errors to fix' }));
  [rows[1]![1], rows[2]![3], rows[3]![0]] = ['bruno@tasks.example', 'Fleet', 'Davi Lopes'];
  corrects(['bruno@tasks.example', 'Fleet', 'Davi Lopes']);
  await chooses(page.getByLabel('The fixed file'), file());
  await reads(page.getByText('No errors found.'));
  await presses(page.getByRole('button', { name: 'Import 4 people' }));
  await reads(page.getByText('4 people will be added.'));
  await presses(page.getByRole('button', { name: 'Import now' }));
  await reads(page.getByText('All rows were imported.'));
  expect(spent.seconds).toBeLessThan(120);
  await done();
});
