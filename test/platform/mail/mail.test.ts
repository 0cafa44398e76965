/** Emails are queued with the change that causes them, sent by the worker, and retried. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createMailQueue, type Mail } from '../../../src/platform/mail/mail-queue.ts';
import { renderMail } from '../../../src/platform/mail/render-mail.ts';
import { createMailer, type Mailer } from '../../../src/platform/mail/send-mail.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { readMessage, startSmtp, type TestSmtp } from './smtp.ts';

const from = 'People <people@example.com>';

let app: TestApp;
let smtp: TestSmtp;
let mailer: Mailer;
let worker: TestWorker;
/** Lines of the worker. */
const logged: string[] = [];

beforeAll(async () => {
  app = await testApp();
  smtp = await startSmtp();
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  mailer = createMailer({ smtp_url: smtp.url, from, outbox: '/nowhere', log });
  worker = await testWorker(app, { mailer, log });
});
afterAll(async () => {
  await worker.stop();
  mailer.close();
  await smtp.close();
  await app.close();
});

async function invite(email: string, name = 'Inês Sá'): Promise<void> {
  const person = { name, email, position: 'Driver', department: 'Fleet' };
  const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
  await app.admin.post(`/v1/collaborators/${body.id}/send-invitation`, {}).expect(200);
}

function mailTo(address: string) {
  return eventually(() => {
    const mail = smtp.received.find(({ to }) => to.includes(address));
    if (!mail) throw new Error(`no mail for ${address}`);
    return mail;
  });
}

async function jobs() {
  const columns = 'id, task_identifier, attempts, max_attempts, last_error, run_at > now() as later';
  return app.database.query<{ id: string; attempts: number; max_attempts: number; last_error: string; later: boolean }>(
    `select ${columns} from graphile_worker.jobs`,
  );
}

test('an invitation arrives, and its link works', async () => {
  await invite('ines@example.com');
  const mail = await mailTo('ines@example.com');
  expect(mail.from).toBe('people@example.com');
  const { headers, parts } = readMessage(mail.source);
  expect(headers).toMatch(/^From: People <people@example.com>\r$/m);
  expect(headers).toMatch(/^To: ines@example.com\r$/m);
  expect(headers).toContain('Subject: =?UTF-8?Q?Verde_Log=C3=ADstica_invited_you?=');
  expect(headers).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  expect(Object.keys(parts)).toEqual(['text/plain', 'text/html']);
  const [link] = /http:\S+/.exec(parts['text/plain']!)!;
  expect(parts['text/plain']).toContain('Welcome, Inês Sá');
  expect(parts['text/plain']).toContain('Verde Logística');
  expect(parts['text/html']).toContain(`href="${link}"`);
  expect(parts['text/html']).toContain('Verde Logística');
  expect(link.startsWith(`${app.base_url}/oauth/invitation/`)).toBe(true);
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('ines@example.com');
});

test('waits for a retry while the server is down', async () => {
  smtp.down = true;
  await invite('later@example.com');
  const waiting = await eventually(async () => {
    const [job] = await jobs();
    expect(job).toMatchObject({
      attempts: 1,
      max_attempts: 10,
      last_error: 'the mail server returned 421 to MAIL (EENVELOPE)',
    });
    expect(job!.later).toBe(true);
    return job!;
  });
  expect(smtp.received.some(({ to }) => to.includes('later@example.com'))).toBe(false);
  smtp.down = false;
  await app.database.query('select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now())', [waiting.id]);
  await mailTo('later@example.com');
  await eventually(async () => expect(await jobs()).toEqual([]));
});

test('an unknown mailbox is stored and logged with the reason, without personal data', async () => {
  smtp.rejectsRecipients = true;
  await invite('qxmailbox@example.com');
  const failed = await eventually(async () => {
    const [job] = await jobs();
    expect(job).toMatchObject({
      attempts: 1,
      last_error: expect.stringMatching(/^the mail server returned 550 5\.1\.1 /),
    });
    return job!;
  });
  smtp.rejectsRecipients = false;
  const lines = logged.filter((line) => line.includes('550 5.1.1')).map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'job failed', task: 'sendMail' }));
  expect(`${JSON.stringify(failed)}${logged.join('')}`).not.toContain('qxmailbox');
  await app.database.query('select graphile_worker.complete_jobs(array[$1::bigint])', [failed.id]);
});

test('a rolled back transaction sends nothing', async () => {
  const { db } = app.database;
  const queue = createMailQueue(app.config.encryption_keys);
  const mail = (to: string): Mail => ({ template: 'password_changed', to, language: 'en', values: { name: 'Ana' } });
  const failing = db.global.transaction().execute(async (tx) => {
    await queue.queue(tx, mail('never@example.com'));
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await db.global.transaction().execute((tx) => queue.queue(tx, mail('after@example.com')));
  await mailTo('after@example.com');
  expect(smtp.received.some(({ to }) => to.includes('never@example.com'))).toBe(false);
});

test('a name can’t inject headers, lines, or links', async () => {
  const name = 'Inês\r\nBcc: spy@example.com\r\n\r\nYour account is locked:\u2028https://evil.example';
  const queue = createMailQueue(app.config.encryption_keys);
  const values = { name, company: `Verde\r\nBcc: spy@example.com`, link: 'https://api.example/x', daysValid: 7 };
  const mail: Mail = { template: 'invitation', to: 'target@example.com', language: 'en', values };
  await app.database.db.global.transaction().execute((tx) => queue.queue(tx, mail));
  const received = await mailTo('target@example.com');
  expect(received.to).toEqual(['target@example.com']);
  const { headers, parts } = readMessage(received.source);
  expect(headers).not.toMatch(/^Bcc:/im);
  expect(headers).toMatch(/^Subject: Verde Bcc: spy @ example. com invited you\r$/m);
  expect(parts['text/plain']).not.toMatch(/^(Bcc|Your account|https:\/\/evil)/m);
  for (const part of Object.values(parts)) expect(part).not.toMatch(/https:\/\/evil|evil\.example|spy@/);
});

test.each([
  ['invitation', { name: '<b>&', company: '<script>', link: 'https://api.example/?a=1&b=2', daysValid: 7 }],
  ['password_reset', { name: '<b>&', link: 'https://api.example/x', minutesValid: 30 }],
  ['password_changed', { name: '<b>&' }],
] as const)('the template %s escapes values in HTML only', (template, values) => {
  const { text, html } = renderMail(
    { template, to: 'ana@example.com', language: 'en', values } as Mail,
    'https://people.example.com',
  );
  expect(text).toContain('<b>&');
  expect(html).toContain('&lt;b&gt;&amp;');
  expect(html).not.toMatch(/<b>|<script/);
  for (const each of [text, html]) expect(each).not.toMatch(/undefined|\[object/);
});

test('without a mail server, emails are written to readable files', async () => {
  const outbox = join(await mkdtemp(join(tmpdir(), 'mail-')), 'outbox');
  const lines: { msg: string; folder: string }[] = [];
  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)));
        done();
      },
    }),
  );
  const values = { name: 'Ana', link: 'https://api.example/oauth/reset/secret', minutesValid: 30 };
  const mail: Mail = { template: 'password_reset', to: '../ana@example.com', language: 'en', values };
  await createMailer({ smtp_url: undefined, from, outbox, log }).send(renderMail(mail, 'https://people.example.com'));
  const files = (await readdir(outbox)).sort();
  expect(files).toEqual([expect.stringMatching(/ana@example.com\.html$/), expect.stringMatching(/\.txt$/)]);
  const file = join(outbox, files[1]!);
  const text = await readFile(file, 'utf8');
  expect(text).toContain('Subject: Choose a new password\n');
  expect(text).toContain('\nhttps://api.example/oauth/reset/secret\n');
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ msg: expect.stringContaining('saved as a file'), folder: outbox });
  expect(JSON.stringify(lines)).not.toMatch(/secret|ana@/);
  await rm(join(outbox, '..'), { recursive: true });
});

test('the worker removes and counts expired rows', async () => {
  const { database, config } = app;
  await database.query(
    `insert into rate_limits values ('over', 1, 1), ('counting', 1, extract(epoch from now()) * 1000 + 60000)`,
  );
  await database.query(
    `insert into password_resets (token_hash, user_id, created_at, expires_at) select sha256('old'), id, now() - interval '31 days',
       now() - interval '31 days' from users limit 1`,
  );
  await database.query(
    `insert into oauth_artifacts (kind, id_hash, payload_encrypted, expires_at) values ('Session', 'x', 'x', now() - interval '1 s')`,
  );
  await database.query(
    `insert into signing_keys (id, algorithm, public_jwk, private_jwk_encrypted, created_at, retired_at) values
       ('gone', 'ES256', '{}', 'x', now() - interval '9 days', now() - interval '2 days'),
       ('old', 'ES256', '{"kid": "old"}', 'x', now() - interval '9 days', null)`,
  );
  await database.query(
    `update signing_keys set created_at = now() - $1 * interval '1 second' where id not in ('gone', 'old')`,
    [config.accessTokenLifetimeS + 601],
  );
  await database.query(`select graphile_worker.add_job('removeExpired')`);
  await eventually(async () => {
    expect(await database.query('select key from rate_limits order by key')).toEqual([{ key: 'counting' }]);
    expect(await database.query('select 1 from password_resets')).toEqual([]);
    expect(await database.query(`select 1 from oauth_artifacts where id_hash = 'x'`)).toEqual([]);
    expect(await database.query(`select id from signing_keys where id in ('gone', 'old')`)).toEqual([{ id: 'old' }]);
    expect(await database.query(`select id from signing_keys where retired_at is null and id = 'old'`)).toEqual([]);
  });
  const known = await database.query(`select identifier from graphile_worker._private_known_crontabs order by 1`);
  const names = known.map(({ identifier }) => identifier);
  expect(names).toEqual([
    'endEmployments',
    'eraseDeleted',
    'expireInvitations',
    'followDirectories',
    'removeExpired',
    'removeOldAudit',
    'removeOldEvents',
    'removeOldExports',
    'removeOldImports',
    'sweepFiles',
    'wakeOverdueWebhooks',
    'warnOfCertificates',
  ]);
});

test('rejects an email that wasn’t sealed with our key', () => {
  const queue = createMailQueue([Buffer.alloc(32, 1)]);
  expect(() => queue.open({ sealed: Buffer.alloc(64).toString('base64') })).toThrow();
});
