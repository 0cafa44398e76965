/** Deactivating a subscription: once under concurrency, with everything that follows. */
import { randomUUID } from 'node:crypto';
import { createMailQueue, type Mail } from '../../../src/platform/mail/mail-queue.ts';
import { renderMail } from '../../../src/platform/mail/render-mail.ts';
import { createCompany, createPerson } from '../../../src/product/companies/companies.ts';
import {
  type Deactivation,
  deactivateWebhook,
} from '../../../src/product/webhooks/subscriptions/deactivate-webhook.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

const mail = createMailQueue([Buffer.alloc(32, 7)]);
const person = { position: 'x', department: 'y', password: 'correct horse battery staple' };
const baseUrl = 'https://people.example.com';
const gone: Deactivation = { reason: 'gone', user_id: null };

let database: TestDatabase;
let companyId: string;
let otherCompany: string;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const { company } = await createCompany(db, 'Verde & Filhos', { ...person, name: 'Ana', email: 'ana@example.com' });
  companyId = company.id;
  const admin = { ...person, role: 'admin' as const };
  await createPerson(db, companyId, { ...admin, name: 'Rui <b>', email: 'rui@example.com' });
  const inactive = await createPerson(db, companyId, { ...admin, name: 'Ivo', email: 'ivo@example.com' });
  const deleted = await createPerson(db, companyId, { ...admin, name: 'Eva', email: 'eva@example.com' });
  await createPerson(db, companyId, { ...person, name: 'Tom', email: 'tom@example.com', role: 'manager' });
  const invited = await createPerson(db, companyId, { ...admin, name: 'Uma', email: 'uma@example.com' });
  const unaccepted = 'update collaborators set user_id = null, accepted_at = null where id = $1';
  await database.query(unaccepted, [invited.collaborator_id]);
  const change = 'update collaborators set status = $2, deleted_at = $3 where id = $1';
  await database.query(change, [inactive.collaborator_id, 'inactive', null]);
  await database.query(change, [deleted.collaborator_id, 'active', new Date()]);
  const nordwind = await createCompany(db, 'Nordwind', { ...person, name: 'Jonas', email: 'jonas@example.com' });
  otherCompany = nordwind.company.id;
});
afterAll(() => database.drop());

beforeEach(async () => {
  for (const table of ['deliveries', 'webhooks', 'events']) await database.query(`delete from ${table}`);
  await database.query('delete from graphile_worker._private_jobs');
});

const tenant = (company = companyId) => database.db.tenant(company);
const deactivate = (id: string, how = gone, company = companyId) =>
  tenant(company).transaction((tx) => deactivateWebhook(tx, mail, id, how));

async function webhook(fields: { url?: string; description?: string | null } = {}): Promise<string> {
  const { url = 'https://hooks.example:8443/secret/path?key=1', description = 'Keeps the <b>badges</b>' } = fields;
  const id = randomUUID();
  await tenant()
    .insertInto('webhooks', {
      id,
      url,
      description,
      events: ['*'],
      payload_format: 'envelope',
      secrets_encrypted: Buffer.from('x'),
      consecutive_failures: 6,
      last_status_code: 410,
    })
    .execute();
  return id;
}

async function delivery(webhookId: string, status: string): Promise<string> {
  const id = randomUUID();
  const open = ['pending', 'delivering'].includes(status);
  await tenant()
    .insertInto('deliveries', {
      id,
      webhook_id: webhookId,
      event_id: randomUUID(),
      event: 'collaborator.created',
      payload_format: 'envelope',
      status,
      replaying: open,
      due_at: open ? '2026-03-02T09:15:00.000Z' : null,
      completed_at: open ? null : '2026-03-02T09:15:00.000Z',
    })
    .execute();
  return id;
}

const webhookRow = async (id: string) => (await database.query('select * from webhooks where id = $1', [id]))[0]!;
const deliveryRow = async (id: string) => (await database.query('select * from deliveries where id = $1', [id]))[0]!;
const emitted = () =>
  database.query<{ payload: Record<string, unknown> }>(
    "select company_id, event_type, payload::json from events where name = 'webhook.deactivated'",
  );

async function mails(): Promise<Mail[]> {
  const jobs = await database.query<{ payload: unknown }>(
    'select j.payload from graphile_worker._private_jobs j join graphile_worker.jobs using (id) order by id',
  );
  return jobs.map(({ payload }) => mail.open(payload)).sort((a, b) => (a.to < b.to ? -1 : 1));
}

describe('deactivation', () => {
  test('records time and reason, and emits an event', async () => {
    const id = await webhook();
    expect(await deactivate(id)).toBe(true);
    const row = await webhookRow(id);
    expect(row).toMatchObject({ status: 'deactivated', deactivation_reason: 'gone', deactivated_at: expect.any(Date) });
    expect(row.updated_at).toEqual(row.deactivated_at);
    expect(await emitted()).toEqual([
      {
        company_id: companyId,
        event_type: 'WebhookDeactivated',
        payload: {
          id,
          description: 'Keeps the <b>badges</b>',
          host: 'hooks.example',
          reason: 'gone',
          last_status_code: 410,
          consecutive_failures: 6,
          deactivated_by: null,
          deactivated_at: row.deactivated_at.toISOString(),
        },
      },
    ]);
    expect(await database.query('select company_id from events where sequence is null')).toEqual([
      { company_id: companyId },
    ]);
  });

  test('cancels pending deliveries, and keeps those in progress and ended ones', async () => {
    const id = await webhook();
    const waiting = [await delivery(id, 'pending'), await delivery(id, 'pending')];
    const others = await Promise.all(
      ['delivering', 'succeeded', 'failed', 'cancelled'].map((status) => delivery(id, status)),
    );
    const before = await Promise.all(others.map(deliveryRow));
    await deactivate(id);
    for (const each of waiting) {
      expect(await deliveryRow(each)).toMatchObject({
        status: 'cancelled',
        due_at: null,
        replaying: false,
        completed_at: expect.any(Date),
      });
    }
    expect(await Promise.all(others.map(deliveryRow))).toEqual(before);
  });

  test('doesn’t affect other subscriptions', async () => {
    const [id, other] = [await webhook(), await webhook()];
    const waiting = await delivery(other, 'pending');
    const before = [await webhookRow(other), await deliveryRow(waiting)];
    await deactivate(id);
    expect([await webhookRow(other), await deliveryRow(waiting)]).toEqual(before);
  });

  test('ignores subscriptions that are foreign, inactive, or missing', async () => {
    const id = await webhook();
    const waiting = await delivery(id, 'pending');
    expect(await deactivate(id, gone, otherCompany)).toBe(false);
    expect(await deactivate(randomUUID())).toBe(false);
    expect([(await webhookRow(id)).status, (await deliveryRow(waiting)).status]).toEqual(['active', 'pending']);
    expect([await emitted(), await mails()]).toEqual([[], []]);
    await deactivate(id);
    const off = await webhookRow(id);
    expect(await deactivate(id, { reason: 'server_error', user_id: null })).toBe(false);
    expect(await webhookRow(id)).toEqual(off);
    expect([await emitted(), await mails()]).toMatchObject([{ length: 1 }, { length: 2 }]);
  });

  test('takes effect once for concurrent calls', async () => {
    const id = await webhook();
    for (let i = 0; i < 5; i++) await delivery(id, 'pending');
    const reasons = ['gone', 'server_error', 'network_error', 'client_error', 'gone'];
    const won = await Promise.all(reasons.map((reason) => deactivate(id, { reason, user_id: null })));
    expect(won.filter(Boolean)).toHaveLength(1);
    const { deactivation_reason: deactivationReason } = await webhookRow(id);
    expect(deactivationReason).toBe(reasons[won.indexOf(true)]);
    expect(await emitted()).toMatchObject([{ payload: { reason: deactivationReason } }]);
    expect((await mails()).map(({ to }) => to)).toEqual(['ana@example.com', 'rui@example.com']);
    expect(await database.query("select 1 from deliveries where status = 'cancelled'")).toHaveLength(5);
  });

  test('rolls back with its transaction', async () => {
    const id = await webhook();
    const failing = tenant().transaction(async (tx) => {
      await deactivateWebhook(tx, mail, id, gone);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await webhookRow(id)).status).toBe('active');
    expect([await emitted(), await mails()]).toEqual([[], []]);
  });
});

describe('the email', () => {
  test('goes to each active admin who accepted an invitation, and omits path and query of the URL', async () => {
    await deactivate(await webhook());
    expect(await mails()).toEqual([
      {
        template: 'webhook_deactivated',
        to: 'ana@example.com',
        language: 'en',
        values: {
          name: 'Ana',
          company: 'Verde & Filhos',
          host: 'hooks.example',
          description: 'Keeps the <b>badges</b>',
          explanation: expect.stringContaining('410'),
          consolePath: expect.stringMatching(/^\/console\/[0-9a-f-]{36}\/webhooks\/[0-9a-f-]{36}$/),
        },
      },
      expect.objectContaining({ to: 'rui@example.com' }),
    ]);
    const stored = await database.query('select payload::text from graphile_worker._private_jobs');
    expect(JSON.stringify(stored)).not.toMatch(/ana@|hooks\.example/);
  });

  test('uses each recipient’s language', async () => {
    await database.query(
      `insert into notification_preferences (company_id, collaborator_id, preferences)
       select company_id, id, '{"locale": "es-CL"}' from collaborators where email = 'rui@example.com'`,
    );
    await deactivate(await webhook());
    const [ana, rui] = (await mails()).map((each) => renderMail(each, baseUrl));
    expect([ana!.language, rui!.language]).toEqual(['en', 'es']);
    expect(rui!.text).toMatch(/ya no envía eventos a hooks\.example .*, porque el destinatario respondió/);
    await database.query('delete from notification_preferences');
  });

  test('isn’t sent for a manual deactivation', async () => {
    const userId = randomUUID();
    expect(await deactivate(await webhook(), { reason: 'manual', user_id: userId })).toBe(true);
    expect(await mails()).toEqual([]);
    expect(await emitted()).toMatchObject([{ payload: { reason: 'manual', deactivated_by: userId } }]);
  });

  test('is readable as text and HTML, with everything escaped', async () => {
    await deactivate(await webhook());
    const { subject, text, html } = renderMail((await mails())[1]!, baseUrl);
    expect(subject).toBe('Webhook to hooks.example was disabled');
    expect(text).toContain('Hello Rui <b>,');
    expect(text.replaceAll('\n', ' ')).toContain(
      'Verde & Filhos no longer sends events to hooks.example (Keeps the <b>badges</b>), because',
    );
    expect(html).toContain('Hello Rui &lt;b&gt;,');
    expect(html).toContain('Verde &amp; Filhos no longer sends');
    expect(html).toContain('(Keeps the &lt;b&gt;badges&lt;/b&gt;)');
    expect(html).not.toContain('<b>');
    for (const each of [text, html]) {
      expect(each).toContain('410');
      expect(each).toContain('replay_from');
      expect(each).toMatch(new RegExp(`https://people\\.example\\.com/console/${companyId}/webhooks/[0-9a-f-]{36}`));
      expect(each).not.toMatch(/undefined|null|\[object|secret|key=1/);
    }
  });

  test.each([
    ['gone', /gone permanently \(410\)/],
    ['client_error', /refused an event.*3xx or 4xx/],
    ['server_error', /failed to take an event.*5xx/],
    ['network_error', /could not be reached/],
  ])('explains %s', async (reason, explanation) => {
    await deactivate(await webhook(), { reason, user_id: null });
    expect(renderMail((await mails())[0]!, baseUrl).text.replaceAll('\n', ' ')).toMatch(explanation);
  });

  test('without a description has no empty brackets', async () => {
    await deactivate(await webhook({ description: null, url: 'https://[2001:db8::1]/x' }));
    expect(await emitted()).toMatchObject([{ payload: { description: null, host: '[2001:db8::1]' } }]);
    const { text, html } = renderMail((await mails())[0]!, baseUrl);
    for (const each of [text, html]) expect(each).not.toMatch(/\(\s*\)|null/);
  });
});
