import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JobHelpers } from 'graphile-worker';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { warnOfCertificates } from '../../src/worker/tasks/accounts/warnOfCertificates.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { metadataOf, selfSigned } from '../helpers/identity/saml-provider.ts';
import { addSignInConnection } from '../helpers/resources/sign-in-connections.ts';

let app: TestApp;
let server: Server | undefined;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  await app.close();
  server?.closeAllConnections();
  server?.close();
});
beforeEach(async () => {
  await app.database.query('delete from sign_in_connections');
  await app.database.query('delete from graphile_worker._private_jobs');
});

const mail = () => createMailQueue(app.config.encryption_keys);
const run = () =>
  warnOfCertificates(app.database.db, mail(), { allow_private: true }, createLogger('silent'))({}, {} as JobHelpers);
const mails = async () => {
  const rows = await app.database.query<{ payload: { sealed: string } }>(
    `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'sendMail'`,
  );
  return rows.map(({ payload }) => mail().open(payload));
};
const inDays = async (...days: number[]) =>
  Promise.all(days.map(async (each) => (await selfSigned(2_048, each)).certificate));
const add = (certificates: string[], more = {}, companyId = app.company_id) =>
  addSignInConnection(
    app,
    {
      kind: 'saml',
      status: 'enabled',
      issuer: 'urn:idp',
      sso_url: 'https://idp.example/sso',
      certificates,
      ...more,
    },
    companyId,
  );

test('admins get one email 30 days before the last certificate expires, and another one for the next certificate', async () => {
  const id = await add(await inDays(-1, 29));
  await run();
  await run();
  const sent = await mails();
  expect(sent).toMatchObject([
    {
      template: 'certificate_expiring',
      to: 'mariana.duarte@example.com',
      values: { connection: 'Verdelog Okta', consolePath: `/console/${app.company_id}/sign-in/${id}` },
    },
  ]);
  const expiresAt = new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10);
  expect(sent[0]!.values).toMatchObject({ date: expiresAt });
  await app.database.query('update sign_in_connections set certificates = $1', [await inDays(10)]);
  await run();
  expect(await mails()).toHaveLength(2);
});

test('certificates that last longer, drafts, and other companies cause no email to these admins', async () => {
  await add(await inDays(5, 31));
  await add(await inDays(5), { status: 'draft' });
  await addSignInConnection(app, { status: 'enabled' });
  await run();
  expect(await mails()).toEqual([]);
  await add(await inDays(5), {}, app.outsider.company_id);
  await run();
  expect((await mails()).map(({ to }) => to)).toEqual(['jonas.petersen@example.com']);
});

test('an expired certificate causes an email, too', async () => {
  await add(await inDays(-2));
  await run();
  expect(await mails()).toHaveLength(1);
});

test('new metadata of the provider is read first', async () => {
  const [old, next] = await inDays(5, 400);
  let issuer = '';
  server = createServer((_req, res) => res.end(metadataOf(issuer, [old!, next!])));
  await new Promise<void>((listening) => server!.listen(0, '127.0.0.1', listening));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await add([old!], { issuer, metadata_url: `${issuer}/metadata`, metadata_read_at: '2026-01-01T00:00:00.000Z' });
  await run();
  expect(await mails()).toEqual([]);
  expect(await app.database.query('select cardinality(certificates) as count from sign_in_connections')).toEqual([
    { count: 2 },
  ]);
});
