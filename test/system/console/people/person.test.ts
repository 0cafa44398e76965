/** A person in the console: history, documents, notifications, photo, and names that are hard to display. */
import type { Browser, Locator } from 'playwright-core';
import sharp from 'sharp';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { expectCount, expectTexts } from '../../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { holdRequests } from '../../../helpers/browser/slow-network.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addPerson } from '../../../helpers/identity/people.ts';
import { addDocument } from '../../../helpers/resources/documents.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = (path = '') => `/${app.company_id}/people${path}`;
const newPerson = (name: string, fields: Record<string, unknown> = {}) => addPerson(app, name, fields);
const picture = (color: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
    .png()
    .toBuffer();

/** Not `waitForFunction`: it evaluates texts, which the console's Content Security Policy refuses after the first attempt. */
async function widthOf(image: Locator): Promise<unknown> {
  return (await (await image.elementHandle())!.getProperty('naturalWidth')).jsonValue();
}

test('shows history, documents, notifications, and photo, also in the list', async () => {
  const managerId = app.manager.collaborator_id;
  const id = await newPerson('Dora Dias');
  await app.admin.patch(`/v1/collaborators/${id}`, { position: 'Lead driver', manager_id: managerId }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/history`));
  await page.getByText('Lead driver').last().waitFor();
  await page.getByRole('link', { name: 'Rui Almeida' }).waitFor();
  const entries = page.locator('.timeline > li');
  await entries.first().getByRole('link', { name: 'Mariana Duarte' }).waitFor();

  await page.getByRole('link', { name: 'Documents' }).click();
  await page.getByText('No documents yet').waitFor();
  const file = { name: 'license.png', mimeType: 'image/png', buffer: await picture('#0b6b63') };
  await page.getByLabel('Add documents').setInputFiles(file);
  await page.getByText('license.png').waitFor();
  await page.getByRole('button', { name: 'View' }).click();
  const preview = page.getByRole('img', { name: 'license.png' });
  await eventually(async () => expect(await widthOf(preview)).toBe(300));
  await page.keyboard.press('Escape');
  await page.getByLabel('Add documents').setInputFiles({ ...file, name: 'bad.exe', buffer: Buffer.from('MZ no') });
  await page.getByRole('alert').getByText('Accepted are').waitFor();
  await page.getByRole('button', { name: 'Remove license.png' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the document' }).click();
  await page.getByText('No documents yet').waitFor();

  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByLabel('Only email at certain hours').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Document: – → license.png · Contract').waitFor();
  await page.getByText('Document: license.png · Contract → –').waitFor();
  await page.getByText('Quiet hours: – → 22:00–07:00').waitFor();
  const { body } = await app.admin.get(`/v1/collaborators/${id}/notifications`).expect(200);
  expect(body.quiet_hours).toMatchObject({ start: '22:00', end: '07:00' });

  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await page.getByLabel('New photo').setInputFiles({ ...file, name: 'me.png' });
  const photo = page.locator('img.avatar.large');
  await photo.waitFor();
  await eventually(async () => expect(await widthOf(photo)).toBeGreaterThan(0));

  // In the list, a photo takes as much room as initials.
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'People', exact: true }).click();
  await page.locator('tbody img.avatar').waitFor();
  await page.locator('tbody span.avatar').first().waitFor();
  const rows = page.locator('tbody tr:not(.room)');
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
  await done();
});

test('of documents dropped together, adds the accepted ones and names the refused ones', async () => {
  const id = await newPerson('Dina Drop');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/documents`));
  await page.getByText('No documents yet').waitFor();
  const drop = async (names: string[]) => {
    const dataTransfer = await page.evaluateHandle(dropOf(names));
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer });
  };
  await drop(['first.txt', 'bad.exe', 'second.txt', 'worse.exe']);
  await page.getByRole('alert').filter({ hasText: 'bad.exe' }).getByText('Accepted are').waitFor();
  await page.getByRole('alert').filter({ hasText: 'worse.exe' }).getByText('Accepted are').waitFor();
  // 'A note of first.txt'
  await page.getByRole('listitem').filter({ hasText: 'first.txt' }).getByText('19 bytes').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'second.txt' }).waitFor();
  await expectCount(page.getByRole('alert'), 2);
  let uploads = 0;
  const path = `**/v1/collaborators/${id}/documents`;
  await page.route(path, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    uploads += 1;
    return uploads === 2 ? route.abort() : route.continue();
  });
  await drop(['third.txt', 'fourth.txt', 'fifth.txt']);
  await page.getByRole('alert').getByText("fourth.txt, fifth.txt: Can't reach the service").waitFor();
  await page.getByRole('listitem').filter({ hasText: 'third.txt' }).waitFor();
  expect(uploads).toBe(2); // an outage concerns all of them
  await page.unroute(path);

  const { held, release } = await holdRequests(page);
  await drop(['sixth.txt', 'worst.exe']);
  await eventually(() => expect(held).toHaveLength(1));
  await drop(['seventh.txt']);
  await page.getByRole('status').getByText('These files were not added').waitFor();
  expect(await page.evaluate(asksBeforeClosing)).toBe(true);
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  release();
  await page.getByText('Not completed: Dina Drop. worst.exe: Accepted are').first().waitFor();
  await done();
});

const asksBeforeClosing = `!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`;

/** A script, because the page evaluates it. */
const dropOf = (names: string[]) => `(() => {
  const data = new DataTransfer();
  for (const name of ${JSON.stringify(names)})
    data.items.add(new File([name.endsWith('.exe') ? 'MZ\\0' : 'A note of ' + name], name));
  return data;
})()`;

test('lists more than a hundred documents', async () => {
  const id = await newPerson('Paula Papers');
  await app.database.query(
    `insert into documents (company_id, id, collaborator_id, key, name, type, media_type, size, sha256, uploaded_at)
     select $1::uuid, gen_random_uuid(), $2, $1::uuid::text || '/documents/00/' || lpad(to_hex(n), 40, '7'),
       'slip ' || lpad(n::text, 3, '0') || '.pdf', 'other', 'application/pdf', 1, '\\x00',
       now() - n * interval '1 day'
     from generate_series(1, 103) n`,
    [app.company_id, id],
  );
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/documents`));
  await page.getByText('slip 100.pdf').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('slip 103.pdf').waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  await done();
});

test('downscales and rotates a phone’s photo before upload, and explains an unreadable one', async () => {
  const id = await newPerson('Ivo Ilha');
  const red = { create: { width: 1_600, height: 600, channels: 3 as const, background: '#d01010' } };
  // In the upright photo, the right half is red: the upper half as stored, rotated by 90°.
  const photograph = await sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: '#0b6b63' } })
    .composite([{ input: red, top: 0, left: 0 }])
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const buffer = Buffer.concat([photograph, Buffer.alloc(5 * 1024 * 1024)]);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  await page.getByLabel('New photo').setInputFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer });
  const photo = page.locator('img.avatar.large');
  await photo.waitFor();
  const { body } = await app.admin.get(`/v1/collaborators/${id}`).expect(200);
  const avatar = Buffer.from(await (await fetch(body.avatar_url)).arrayBuffer());
  expect(await sharp(avatar).metadata()).toMatchObject({ width: 512, height: 512 });
  const meanAt = async (left: number) => (await sharp(await sharp(avatar).extract({ left, top: 200, width: 60, height: 60 }).toBuffer()).stats()).channels.map(({ mean }) => mean);
  const [[, leftGreen], [rightRed, rightGreen]] = [await meanAt(40), await meanAt(420)] as [number[], number[]];
  expect({ leftGreen: leftGreen! > 80, rightRed: rightRed! > 180, rightGreen: rightGreen! < 60 }).toEqual({ leftGreen: true, rightRed: true, rightGreen: true });
  const heic = { name: 'IMG_0002.HEIC', mimeType: 'image/heic', buffer: Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(500)]) };
  await page.getByLabel('New photo').setInputFiles(heic);
  await page.getByRole('alert').getByText("This browser can't read HEIC photos. Save the photo as JPEG").waitFor();
  await takeScreenshot(page, 'photo-heic');
  await page.getByRole('link', { name: 'Documents' }).click();
  await page.getByLabel('Add documents').setInputFiles(heic);
  await page.getByText('IMG_0002.HEIC').waitFor(); // as a document it is kept unchanged
  await done();
}); // biome-ignore format: short

test('previews a PDF if the browser has a viewer', async () => {
  const id = await newPerson('Eva Prado');
  await addDocument(app, id, { filename: 'contract.pdf', type: 'contract' });
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/documents`));
  await page.getByText('contract.pdf').waitFor();
  expect(await page.getByRole('button', { name: 'View' }).count()).toBe(0); // this one has none
  const setViewer = (value: boolean) =>
    page.evaluate(`Object.defineProperty(navigator, 'pdfViewerEnabled', { value: ${value}, configurable: true })`);
  await setViewer(true);
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.getByRole('link', { name: 'Documents' }).click();
  const responsePromise = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/files/'));
  await page.getByRole('button', { name: 'View' }).click();
  const response = await responsePromise;
  expect(response.headers()).toMatchObject({ 'content-type': 'application/pdf' });
  expect(response.headers()['content-disposition']).toMatch(/^inline/);
  expect(response.headers()['content-security-policy']).toMatch(/frame-ancestors 'self'$/);
  await expectCount(page.locator('iframe[title="contract.pdf"]'), 1);
  await setViewer(false);
  await done();
});

test('isolates a name with a direction override', async () => {
  const managerId = await newPerson('Ana Prada');
  // As accepted by earlier validation rules.
  await app.database.query('update collaborators set name = $1 where id = $2', ['Ana \u202eadarP', managerId]);
  const id = await newPerson('Bia Prado', { manager_id: managerId });
  await app.admin.patch(`/v1/collaborators/${id}`, { manager_id: null }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/history`));
  const change = page.locator('.changes > li').first();
  await change.getByRole('link').waitFor();
  const left = async (part: string) => (await change.locator(part).boundingBox())!.x;
  expect(await left('del')).toBeLessThan(await left('ins')); // from left to right: old value, new value
  await page.evaluate(`history.pushState(null, '', '/console${here(`/${managerId}`)}')`);
  await page.locator('h1').filter({ hasText: 'adarP' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  expect(await page.getByRole('dialog').textContent()).toContain('Ana adarP disappears from all lists');
  await done();
});

test('the focus stays in the list after a document was removed', async () => {
  const id = await newPerson('Fausta Foco');
  for (const filename of ['one.pdf', 'two.pdf']) await addDocument(app, id, { filename });
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/documents`));
  await page.getByRole('button', { name: 'Remove one.pdf' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the document' }).press('Enter');
  await page.getByText('one.pdf', { exact: true }).waitFor({ state: 'detached' });
  const section = page.getByRole('region', { name: 'Documents' });
  await eventually(async () => {
    expect(await section.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(true);
  });
  await page.keyboard.press('Tab');
  await expectCount(section.locator('*:focus'), 1);
  await done();
});

test('says that a new address has canceled the invitation', async () => {
  const id = await newPerson('Ines Invited');
  await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
  await app.admin.patch(`/v1/collaborators/${id}`, { email: 'ines.corrected@example.com' }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  await page.getByText('invitation canceled').waitFor();
  await page.getByRole('link', { name: 'Notifications' }).click();
  const languages = page.getByLabel('Message language').getByRole('option');
  await expectTexts(languages, ['The language of the service', 'English', 'Português', 'Español']);
  await done();
});

test('the reasons for a status are in the language of the reader, and on a phone all sections of a person are visible', async () => {
  const id = await newPerson('Petra Phone');
  const setReason = 'update collaborators set status = $3, status_reason = $2 where id = $1';
  const options = { viewport: { width: 390, height: 844 }, locale: 'es' };
  for (const [reason, shown] of [
    ['The last day of employment was 2026-01-31.', /El último día de la relación laboral fue el 31/],
    ['Licencia hasta septiembre', 'Licencia hasta septiembre'],
  ] as const) {
    await app.database.query(setReason, [id, reason, 'inactive']);
    const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`), options);
    await page.getByText(shown).waitFor();
    const tabs = page.locator('nav.tabs');
    await tabs.getByRole('link').nth(3).waitFor();
    const [content, visible] = await tabs.evaluate((nav) => [nav.scrollWidth, nav.clientWidth]);
    expect(content).toBe(visible);
    await done();
  }
});
