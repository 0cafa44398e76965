/** Long texts in the results of tools. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { connectAssistant } from '../../helpers/identity/assistant.ts';
import { upload } from '../../helpers/resources/documents.ts';
import { addDelivery, addWebhook } from '../../helpers/resources/webhooks.ts';

let app: TestApp;
let call: Awaited<ReturnType<typeof connectAssistant>>['call'];
beforeAll(async () => {
  app = await testApp();
  ({ call } = await connectAssistant(app, 'collaborators:read documents:read webhooks:manage'));
});
afterAll(() => app.close());

test('a link is whole, however long the name of its file is', async () => {
  const id = app.report.collaborator_id;
  await upload(app.admin, id, { filename: `${'Avaliação de desempenho '.repeat(8)}.pdf` }).expect(201);
  const { data } = await call('list_documents', { id });
  const [{ url }] = data.data as unknown as [{ url: string }];
  expect(url.length).toBeGreaterThan(500);
  expect((await fetch(url)).status).toBe(200);
});

test('a cursor is whole, however long the names of people are', async () => {
  for (const number of [1, 2]) {
    const person = { name: `${'漢'.repeat(190)}${number}`, email: `long.${number}@example.com` };
    await app.admin.post('/v1/collaborators', { ...person, position: 'Picker', department: 'Warehouse' }).expect(201);
  }
  const page = { search: '漢漢', sort: 'name', limit: 1 };
  const { data: first } = await call('find_people', page);
  const { nextCursor: cursor } = (first as unknown as { pagination: { nextCursor: string } }).pagination;
  expect(cursor.length).toBeGreaterThan(500);
  const { data: second } = await call('find_people', { ...page, cursor });
  expect(second.data).toEqual([expect.objectContaining({ name: `${'漢'.repeat(190)}2` })]);
});

test('a long text is cut between two characters, since strict JSON parsers refuse half of one', async () => {
  const id = await addWebhook(app);
  const deliveryId = await addDelivery(app, id, { status: 'failed', attempt_count: 1 });
  await app.database.query(
    `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms, response_excerpt)
     values ($1, $2, 1, false, now(), 1, $3)`,
    [app.company_id, deliveryId, `${'x'.repeat(499)}😀 and more`],
  );
  const { data } = await call('explain_delivery', { id, delivery_id: deliveryId });
  const { attempts } = data as unknown as { attempts: object[] };
  expect(attempts).toEqual([expect.objectContaining({ response_excerpt: `${'x'.repeat(499)}…` })]);
});
