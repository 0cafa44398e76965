/** Custom fields in the console: create, reorder, change, archive, restore, and delete. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, pickUp, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectTexts } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { clearFields, defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker | undefined;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
});

afterAll(async () => {
  await worker?.stop();
  await browser?.close();
  await app?.close();
});

afterEach(() => clearFields(app));

const visibleKeys = async () =>
  (await app.admin.get(`${fieldsPath}?limit=100`).expect(200)).body.data.map(({ key }: { key: string }) => key);

test('an admin creates a choice field with labels in three languages and a preview', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/fields`);
  await page.getByText('No fields yet').waitFor();
  await page.getByRole('link', { name: 'Define a field' }).click();

  await page.getByRole('button', { name: 'Define the field' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Label', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBe('true');

  await page.getByLabel('Label', { exact: true }).fill('Shirt size');
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('shirt_size');
  await page.getByText('Translations', { exact: true }).first().click();
  await page.getByLabel('Português').first().fill('Tamanho da camisa');
  await page.getByLabel('Español').first().fill('Talla de camisa');
  await page.getByLabel('Type', { exact: true }).selectOption('Single choice');
  await page.getByLabel('Label of option 1').fill('Small');
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByLabel('Label of option 2').fill('Extra Large');
  expect(await page.getByLabel('Key of option 2').inputValue()).toBe('extra_large');
  await page.getByLabel('Help text').fill('For the uniform');
  await page.getByLabel('Who can see values').selectOption('Admins and managers');
  await page.getByLabel('Who can change values').selectOption('Everyone');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expectTexts(preview.getByLabel('Shirt size').locator('option'), ['No value', 'Small', 'Extra Large']);
  await page.getByRole('button', { name: 'Define the field' }).click();
  await page.getByText("Nobody can change values that they can't read.", { exact: true }).waitFor();
  await page.getByLabel('Who can change values').selectOption('Admins and managers');
  await takeScreenshot(page, 'field-new');
  await page.getByRole('button', { name: 'Define the field' }).click();

  await page.getByRole('heading', { name: 'Active fields (1 of 100)' }).waitFor();
  const { body } = await app.admin.get(`${fieldsPath}/shirt_size`).expect(200);
  expect(body).toMatchObject({
    type: 'choice',
    label: { default: 'Shirt size', en: null, pt: 'Tamanho da camisa', es: 'Talla de camisa' },
    description: 'For the uniform',
    read: 'manager',
    write: 'manager',
    options: [{ key: 'small' }, { key: 'extra_large' }],
  });
  await done();
});

test('reorders fields by dragging and by keyboard', async () => {
  for (const key of ['one', 'two', 'three']) await defineField(app.admin, { key, type: 'text' });
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/fields`);
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}` });
  await handle('one').waitFor();
  const fields = page.getByRole('list', { name: /Active fields/ }).getByRole('link');
  const stored = () => page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await tabTo(page, handle('one'));
  await pickUp(page, 'Picked up one. Position 1 of 3.');
  await page.keyboard.press('ArrowDown');
  await page.getByText('one is at position 2 of 3.').waitFor({ state: 'attached' });
  await Promise.all([stored(), page.keyboard.press('Space')]);
  await expectTexts(fields, ['two', 'one', 'three']);
  expect(await visibleKeys()).toEqual(['two', 'one', 'three']);

  const [from, to] = [(await handle('three').boundingBox())!, (await handle('two').boundingBox())!];
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y - 20, { steps: 4 });
  await page.mouse.move(to.x + 8, to.y + 4, { steps: 8 });
  await Promise.all([stored(), page.mouse.up()]);
  expect(await visibleKeys()).toEqual(['three', 'two', 'one']);
  await done();
});

test('changes a field, retires an option, and shows a concurrent change', async () => {
  const options = ['s', 'm'].map((key) => ({ key, label: { default: key.toUpperCase() } }));
  await defineField(app.admin, { key: 'size', type: 'choice', options });
  const path = `/${app.company_id}/fields/size`;
  const { page, done } = await openConsole(app, browser, 'admin', path);
  await page.getByRole('button', { name: 'Retire M' }).click();
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByLabel('Label of option 3').fill('L');
  await page.getByLabel('Required', { exact: true }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  const read = async () => (await app.admin.get(`${fieldsPath}/size`).expect(200)).body;
  const now = await read();
  expect(now.required).toBe(true);
  expect(now.options.map(({ key, retired }: { key: string; retired: boolean }) => [key, retired])).toEqual([
    ['s', false],
    ['m', true],
    ['l', false],
  ]);

  await app.admin.patch(`${fieldsPath}/size`, { label: { default: 'Theirs' } }).expect(200);
  await page.getByLabel('Label', { exact: true }).fill('Mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('This changed while you were editing').waitFor();
  await expectTexts(page.getByRole('row', { name: 'Label' }).getByRole('cell'), ['Theirs', 'Mine']);
  await page.getByRole('button', { name: 'Save my version' }).click();
  await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
  expect((await read()).label.default).toBe('Mine');
  await done();
});

test('archives, restores, and deletes a field after typing its key', async () => {
  await defineField(app.admin, { key: 'badge', type: 'text' });
  await app.admin
    .patch(`/v1/collaborators/${app.report.collaborator_id}`, { custom_fields: { badge: 'B1' } })
    .expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/fields/badge`);
  await page.getByRole('button', { name: 'Archive the field' }).press('Enter');
  await page.getByRole('button', { name: 'Restore the field' }).and(page.locator(':focus')).waitFor();
  expect(await visibleKeys()).toEqual([]);
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Archived fields' }).waitFor();
  await page.getByRole('button', { name: 'Restore badge' }).click();
  await page.getByRole('button', { name: 'Move badge' }).waitFor();
  expect(await visibleKeys()).toEqual(['badge']);

  await page.getByRole('link', { name: 'badge', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the field' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Delete the field' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type badge to confirm').fill('badge');
  await dialog.getByRole('button', { name: 'Delete the field' }).click();
  await page.getByText('Deleting: 0 of 1 person done.').waitFor();
  worker = await testWorker(app);
  await page.getByText('No fields yet').waitFor();
  const [row] = await app.database.query('select custom_fields from collaborators where id = $1', [
    app.report.collaborator_id,
  ]);
  expect(row!.custom_fields).toBeNull();
  await done();
});

test('long labels and keys fit, and pass axe, wide and on a phone', async () => {
  const label = { default: 'A field whose label is much too long for a telephone' };
  const options = [{ key: 'averyveryverylongkeyofanoptionwithoutend', label }];
  const key = 'averyveryverylongkeywithoutanyendatallxyz'.slice(0, 40);
  await app.admin.post(fieldsPath, { key, label, type: 'choice', options }).expect(201);
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/fields`);
  await page.getByRole('link', { name: label.default }).waitFor();
  await checkLayouts(page, 'fields');
  await page.getByRole('link', { name: label.default }).click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await checkLayouts(page, 'field');
  await done();
});
