/** A delivery that crashes processes: retried once, then given up, so that it doesn't take down all workers. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';

let app: TestApp;
let there: Receiver;
beforeEach(async () => {
  app = await testApp(localWebhooks);
  there = await receiver();
});
afterEach(async () => {
  killProcesses();
  await there.close();
  await app.close();
});

/** Nothing here takes this long. */
const timeouts = { WEBHOOK_TIMEOUT_MS: '4000', WEBHOOK_GRACE_MS: '1000' };
const workerProcess = () =>
  startProcess({ ...localWebhooks, ...timeouts, DATABASE_URL: app.database.url, LOG_LEVEL: 'info' }, ['worker']);

const reportIn = (body: Buffer) => JSON.parse(body.toString()).data.data.id as string;
const requestsFor = (report: string) => there.requests.filter(({ body }) => reportIn(body) === report).length;

/** Kills the process that sends `poison` until fixed. @returns functions to start a worker, and to fix it */
function deadlyReceiver(poison: string) {
  let worker = workerProcess();
  let isRepaired = false;
  there.respond(async (response, { body }) => {
    if (isRepaired) response.writeHead(204).end();
    else if (reportIn(body) === poison) await worker.kill();
    else if (requestsFor(poison) > 0) response.writeHead(204).end(); // until then all are in flight together
  });
  return {
    worker: () => worker,
    restart() {
      worker = workerProcess();
    },
    repair() {
      isRepaired = true;
    },
  };
}

const emit = (count: number) => emitReports(app.database.db, app.company_id, count);

test('a delivery that crashes processes is given up with a reason; those in flight with it are retried one by one, and sent', async () => {
  const { id } = await subscribe(app, there.url, { events: ['report.created'] });
  const deadly = deadlyReceiver('report-1');
  await deadly.worker().ready();
  await emit(4);
  for (let death = 1; death <= 3; death++) {
    expect(await deadly.worker().ended).not.toBe(0);
    expect(requestsFor('report-1')).toBe(death);
    deadly.restart();
  }
  await eventually(async () => expect(await statuses(app.database, id)).toEqual({ failed: 1, succeeded: 3 }));
  expect(requestsFor('report-1')).toBe(3);
  const { body } = await app.admin.get(`/v1/webhooks/${id}/deliveries?status=failed`).expect(200);
  const [abandoned] = body.data;
  expect(body.data).toMatchObject([{ attempt_count: 1, last_status_code: null, last_error_class: 'interrupted' }]);
  expect((await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body).toMatchObject({ status: 'active' });
  await eventually(() => {
    const msg = expect.stringContaining('webhook delivery abandoned');
    expect(deadly.worker().lines()).toContainEqual(expect.objectContaining({ delivery_id: abandoned.id, msg }));
  });

  deadly.repair();
  await app.admin.post(`/v1/webhooks/${id}/deliveries/${abandoned.id}/redeliver`).expect(202);
  await eventually(async () => expect(await statuses(app.database, id)).toEqual({ succeeded: 4 }));
});
