/** Email quotas of companies, and fairness between them. */
import { createMailQueue, type Mail } from '../../../src/platform/mail/mail-queue.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { people, range, runImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ MAILS_PER_DAY: '3' });
});
afterAll(() => app.close());
beforeEach(() => app.database.query('delete from mail_counts; delete from graphile_worker._private_jobs'));

let serial = 0;

async function invite(client: TestClient) {
  const person = { name: 'Guest', email: `quota${++serial}@example.com`, position: 'x', department: 'y' };
  const { id } = (await client.post('/v1/collaborators', person).expect(201)).body;
  return { id, response: await client.post(`/v1/collaborators/${id}/send-invitation`) };
}

/** When queued emails are due, in seconds from the first. */
async function paces(): Promise<number[]> {
  const rows = await app.database.query<{ s: number }>(
    `select round(extract(epoch from run_at - min(run_at) over ()))::int as s from graphile_worker.jobs
     where task_identifier = 'sendMail' order by id`,
  );
  return rows.map(({ s }) => s);
}

function queued(companyId: string, count: number, mailsADay?: number): Promise<number> {
  const queue = createMailQueue(app.config.encryption_keys, mailsADay);
  const mails = range(count).map((n): Mail => {
    return { template: 'password_changed', to: `n${n}@example.com`, language: 'en', values: { name: 'Ana' } };
  });
  return app.database.db.tenant(companyId).transaction((tx) => queue.queueOfCompany(tx, mails));
}

test('invitations beyond the daily quota are rejected until tomorrow, for this company only', async () => {
  for (let n = 0; n < 3; n++) expect((await invite(app.admin)).response.status).toBe(200);
  const { id, response } = await invite(app.admin);
  expect(response.status).toBe(429);
  expect(response.body).toEqual({ error: 'invitation_throttled', message: expect.stringContaining('midnight (UTC)') });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(86_400);
  const status = (await app.admin.get(`/v1/collaborators/${id}/status`).expect(200)).body;
  expect(status.invitation).toMatchObject({ state: 'none', send_count: 0 });
  expect(await paces()).toHaveLength(3);
  expect((await invite(app.outsider)).response.status).toBe(200);

  await app.database.query(`update mail_counts set day = day - 1`);
  expect((await invite(app.admin)).response.status).toBe(200);
});

test('an import adds everyone, and invites as many as the quota allows', async () => {
  const worker = await testWorker(app);
  try {
    const job = await runImport(app.admin, { file: people(range(5, 1_000)), send_invitations: true });
    expect(job).toMatchObject({ status: 'completed', counts: { created: 5 } });
  } finally {
    await worker.stop();
  }
  const [row] = await app.database.query(
    `select count(*)::int as invited from invitations join collaborators c on c.company_id = invitations.company_id and c.id = collaborator_id
     where c.email like 'person100%@example.com'`,
  );
  expect(row).toEqual({ invited: 3 });
});

test('sends twenty at once, then one per second, interleaved with other companies', async () => {
  expect(await queued(app.company_id, 25, 500)).toBe(25);
  expect(await queued(app.company_id, 2, 500)).toBe(2);
  expect(await paces()).toEqual([...Array(20).fill(0), 1, 2, 3, 4, 5, 6, 7]);
  expect(await queued(app.outsider.company_id, 1, 500)).toBe(1);
  expect((await paces()).at(-1)).toBe(0);
});

test('concurrent requests are counted correctly', async () => {
  const counts = await Promise.all(range(6).map(() => queued(app.company_id, 2, 7)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(7);
  expect(await paces()).toHaveLength(7);
});
