/** Rotating a secret during deliveries: what receivers can verify, by either header. */
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { sealSecrets, unexpiredSecrets } from '../../../src/product/webhooks/subscriptions/subscriptions.ts';
import { createWebhookSettings } from '../../../src/product/webhooks/subscriptions/webhook-settings.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { header, type Received, type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, passTime, subscribe } from '../../helpers/resources/deliveries.ts';
import { deliveriesOf } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let there: Receiver;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
let id: string;
let first: string;
beforeEach(async () => {
  there = await receiver();
  const webhook = await subscribe(app, there.url, { events: ['report.created'] });
  [id, first] = [webhook.id, webhook.secret];
});
afterEach(async () => {
  await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
  await there.close();
});

const rotate = async (body?: object) =>
  (await app.admin.post(`/v1/webhooks/${id}/rotate-secret`, body).expect(200)).body;

async function next(): Promise<Received> {
  const before = there.requests.length;
  await app.admin.post(`/v1/webhooks/${id}/test`).expect(202);
  return (await there.received(before + 1))[before]!;
}

/** Whether a receiver with this secret accepts it, by `webhook-signature` and by `X-Webhook-Signature`. */
function accepted(request: Received, secret: string): [standard: boolean, hex: boolean] {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, header(request, name)!]));
  const hex = createHmac('sha256', secret).update(request.body).digest('hex');
  return [
    verifies(() => new StandardWebhook(secret).verify(request.body, headers)),
    hex === header(request, 'X-Webhook-Signature'),
  ];
}

function verifies(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** Backdates the rotations. */
async function pass(hours: number): Promise<void> {
  const settings = createWebhookSettings(app.config);
  const [row] = await app.database.query('select company_id, id, secrets_encrypted from webhooks where id = $1', [id]);
  const key = row as { company_id: string; id: string; secrets_encrypted: Buffer };
  const moved = unexpiredSecrets(key, settings, new Date()).map(({ secret, expires_at: expiresAt }) => ({
    secret,
    expires_at: expiresAt && new Date(Date.parse(expiresAt) - hours * 3_600_000).toISOString(),
  }));
  const sealed = sealSecrets(settings, key, moved);
  await app.database.query('update webhooks set secrets_encrypted = $2 where id = $1', [id, sealed]);
}

test('receivers with either secret verify, since one header has both signatures', async () => {
  expect(accepted(await next(), first)).toEqual([true, true]);
  const { secret: second } = await rotate();
  const during = await next();
  expect(header(during, 'webhook-signature')!.split(' ')).toHaveLength(2);
  expect([accepted(during, first), accepted(during, second)]).toEqual([
    [true, true],
    [true, false],
  ]);
  await pass(23.9);
  expect(accepted(await next(), first)).toEqual([true, true]);
  await pass(0.2);
  const after = await next();
  expect([accepted(after, first), accepted(after, second)]).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('after two rotations in a day, one header has all signatures, the other that of the oldest valid secret', async () => {
  const { secret: second } = await rotate();
  await pass(10);
  const { secret: third } = await rotate();
  const acceptedSignatures = async () => {
    const request = await next();
    return [first, second, third].map((secret) => accepted(request, secret));
  };
  expect(await acceptedSignatures()).toEqual([
    [true, true],
    [true, false],
    [true, false],
  ]);
  await pass(14.1); // the first secret has expired
  expect(await acceptedSignatures()).toEqual([
    [false, false],
    [true, true],
    [true, false],
  ]);
  await pass(10);
  expect(await acceptedSignatures()).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
});

test('an immediate rotation signs nothing with earlier secrets, not even a pending retry', async () => {
  there.respond(503);
  await emitReports(app.database.db, app.company_id, 1);
  await eventually(async () =>
    expect((await deliveriesOf(app, id))[0]).toMatchObject({ attempt_count: 1, status: 'pending' }),
  );
  const { secret: second } = await rotate();
  const { secret: third, previous_secret_expires_at: previousSecretExpiresAt } = await rotate({ immediately: true });
  expect(previousSecretExpiresAt).toBeNull();
  there.respond(204);
  await passTime(app, id);
  const [, retry] = (await there.received(2)) as [Received, Received];
  expect(header(retry, 'webhook-signature')!.split(' ')).toHaveLength(1);
  expect([first, second, third].map((secret) => accepted(retry, secret))).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
});
