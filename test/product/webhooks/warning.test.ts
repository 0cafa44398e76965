/** Admins get one email about a failing webhook while there is time to fix it, with a link to its deliveries. */

import { createMailer, type Mailer } from '../../../src/platform/mail/send-mail.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { backdated } from '../../helpers/database/backdated.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, passTime, subscribe } from '../../helpers/resources/deliveries.ts';
import { deliveriesOf } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { readMessage, startSmtp, type TestSmtp } from '../../platform/mail/smtp.ts';

let app: TestApp;
let smtp: TestSmtp;
let mailer: Mailer;
let worker: TestWorker;
let hook: Receiver;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  smtp = await startSmtp();
  mailer = createMailer({
    smtp_url: smtp.url,
    from: 'People <people@example.com>',
    outbox: '/nowhere',
    log: createLogger('silent'),
  });
  worker = await testWorker(app, { mailer });
  hook = await receiver();
});
afterAll(async () => {
  await worker.stop();
  mailer.close();
  await Promise.all([smtp.close(), hook.close()]);
  await app.close();
});
beforeEach(() => {
  smtp.received.length = 0;
});

const emit = (count: number) => emitReports(app.database.db, app.company_id, count);
const subjects = () => smtp.received.map(({ source }) => /^Subject: (.*)$/m.exec(source)![1]);
const failing = 3;
const warning = 'Webhook to 127.0.0.1 is about to be disabled';
const end = 'Webhook to 127.0.0.1 was disabled';
const mails = (count: number) => eventually(() => expect(subjects()).toHaveLength(count));
/** Waits until each delivery of a subscription has had this many attempts. */
const attempts = (id: string, deliveries: number, attemptCount: number) =>
  eventually(async () => {
    const all = (await deliveriesOf(app, id)).filter(({ status }) => status !== 'delivering');
    expect(all.map((each) => each.attempt_count)).toEqual(Array(deliveries).fill(attemptCount));
  });

test.each([
  ['400', 400, 3, /refuses them/],
  ['503', 503, 5, /fails to take them/],
])(
  'with status %s, one email before the last retry for any number of deliveries, and one after it',
  async (_, status, beforeLast, reason) => {
    hook.respond(status);
    const { id } = await subscribe(app, hook.url, { events: ['report.created'], description: 'Payroll' });
    await emit(failing);
    for (let attempt = 1; attempt < beforeLast; attempt++) {
      await attempts(id, failing, attempt);
      await passTime(app, id);
    }
    await attempts(id, failing, beforeLast);
    await mails(1);
    expect(subjects()).toEqual([warning]);
    const text = readMessage(smtp.received[0]!.source).parts['text/plain']!;
    expect(text).toMatch(reason);
    expect(text).toContain(`/console/${app.company_id}/webhooks/${id}`);
    const [{ due_at: dueAt }] = (await deliveriesOf(app, id)) as unknown as [{ due_at: Date }];
    expect(text).toContain(dueAt.toISOString().slice(0, 13).replace('T', ' '));
    await passTime(app, id);
    await mails(2);
    expect(subjects()).toEqual([warning, end]);
    await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
  },
);

test('one email per hour, and none for a receiver that recovered', async () => {
  const { id } = await subscribe(app, hook.url, { events: ['report.created'] });
  const failUntilLast = async () => {
    hook.respond(400);
    await app.database.query('delete from deliveries where webhook_id = $1', [id]);
    await emit(1);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await attempts(id, 1, attempt);
      if (attempt === 3) hook.respond(204);
      await passTime(app, id);
    }
    await eventually(async () => expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded' }]));
  };
  const warned = () => app.database.query('select warned_at from webhooks where id = $1', [id]);
  await failUntilLast();
  await mails(1);
  const first = await warned();
  await failUntilLast();
  expect(await warned()).toEqual(first);
  await app.database.query(`update webhooks set ${backdated('warned_at', "interval '61 minutes'")} where id = $1`, [
    id,
  ]);
  await failUntilLast();
  await mails(2);
  expect(subjects()).toEqual([warning, warning]);
});
