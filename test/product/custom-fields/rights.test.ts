/** Write access to custom field values, replayed responses for a token with fewer scopes, and options in the import template. */
import { randomUUID } from 'node:crypto';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';
import { download, sheetsOf } from '../../helpers/resources/exports.ts';

let app: TestApp;
const path = '/v1/collaborators';
beforeAll(async () => {
  app = await testApp();
  for (const least of ['admin', 'manager', 'employee'] as const) {
    await defineField(app.admin, { key: `of_${least}`, type: 'text', read: least, write: least });
  }
  await defineField(app.admin, { key: 'shown', type: 'text', read: 'employee' });
  const labels = { default: 'Small', pt: 'Pequeno' };
  const options = [
    { key: 's', label: labels },
    { key: 'l', label: { default: 'Large' } },
    { key: 'xs', label: { default: 'Tiny' }, retired: true },
  ];
  await defineField(app.admin, { key: 'size', type: 'choice', options });
});
afterAll(() => app.close());

test('a value can be written by the field’s role and higher ones, within their reach', async () => {
  const { report, manager, admin, employee, outsider } = app;
  const write = async (client: TestClient, id: string, key: string) => {
    const { status, body } = await client.patch(`${path}/${id}`, { custom_fields: { [key]: randomUUID() } });
    return status === 403 ? Object.keys(body.details ?? {}).join() || body.error : status;
  };
  const rights = async (client: TestClient, id: string) =>
    [
      await write(client, id, 'of_admin'),
      await write(client, id, 'of_manager'),
      await write(client, id, 'of_employee'),
      await write(client, id, 'shown'),
    ].join(' ');
  const refused = 'custom_fields.of_admin custom_fields.of_manager';
  expect(await rights(admin, report.collaborator_id)).toBe('200 200 200 200');
  expect(await rights(manager, report.collaborator_id)).toBe('custom_fields.of_admin 200 200 custom_fields.shown');
  expect(await rights(report, report.collaborator_id)).toBe(`${refused} 200 custom_fields.shown`);
  expect(await rights(employee, report.collaborator_id)).toBe('404 404 404 404');
  expect(await rights(outsider, report.collaborator_id)).toBe('404 404 404 404');
});

test('a request repeated with fewer scopes returns no sensitive value', async () => {
  await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true });
  const person = { name: 'Eva', email: 'eva@verde.example', position: 'x', department: 'y' };
  const body = { ...person, custom_fields: { iban: 'IBAN-4711' } };
  const send = (client: TestClient) => client.post(path, body).set('Idempotency-Key', 'the-same-key');
  const first = await send(app.admin).expect(201);
  expect(first.text).toContain('IBAN-4711');
  const again = await send(app.admin).expect(201);
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  const { scopes } = await import('../../../src/identity/grants/scopes.ts');
  const others = Object.keys(scopes).filter((scope) => scope !== 'custom_fields:sensitive');
  const repeated = await send(await app.as('admin', { scopes: others }));
  expect([repeated.status, repeated.body.error]).toEqual([422, 'idempotency_key_reused']);
  expect(repeated.text).not.toContain('IBAN-4711');
});

test('the template offers the active options of a choice, with labels in its language', async () => {
  const { body } = await app.admin.get('/v1/collaborators/import-template?format=xlsx&language=pt').expect(200);
  const text = JSON.stringify(sheetsOf(await download(body.url)));
  expect(text).toContain('Pequeno');
  expect(text).toContain('Large');
  expect(text).not.toContain('Tiny');
});
