/** The cost per delivery doesn't grow with the backlog, since nothing scans it. */
import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { writeAttempts } from '../../../src/product/delivery/attempts-statement.ts';
import { type ClaimedDelivery, claimDue } from '../../../src/product/delivery/claim-deliveries.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { fixStatistics, pagesOfCachedPlan, planRows, statementsOf } from '../../helpers/database/explain.ts';
import { emitReports, localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';

/** Four times as many as a batch numbers. */
const events = 2_000;
const subscriptions = 5;
const claimSize = 20;
const turnId = randomUUID();

let app: TestApp;
let tenant: Tenant;
let webhookId: string;
beforeEach(async () => {
  app = await testApp(localWebhooks);
  tenant = app.database.db.tenant(app.company_id);
  for (let n = 0; n < subscriptions; n++) {
    webhookId = (await subscribe(app, `https://nobody.example/${n}`, { events: ['report.created'] })).id;
  }
  await app.database.query('delete from events');
});
afterEach(() => app.close());

function dispatch() {
  const mail = createMailQueue(app.config.encryption_keys);
  return dispatchEvents({ db: app.database.db, mail, quotas: createQuotas(app.config.quotas) }, app.company_id);
}

async function dispatchAll(): Promise<void> {
  while ((await dispatch())?.more);
}

async function claim(): Promise<ClaimedDelivery[]> {
  const limits = { most: claimSize, maxUnderWay: 100, job_id: 1, turn_id: turnId };
  return (await claimDue(tenant, { company_id: app.company_id, webhook_id: webhookId }, limits)).deliveries;
}

function record(deliveries: ClaimedDelivery[]): Promise<unknown> {
  const sent = { started_at: new Date(), duration_ms: 1, status_code: 204, error_class: null, error_detail: null };
  const response = { response_excerpt: null, response_headers: null, retry_after_s: null };
  const rest = { request: undefined, sent: { ...sent, ...response }, outcome: { status: 'succeeded' as const } };
  const ended = deliveries.map((delivery) => ({ delivery, ...rest }));
  return writeAttempts(tenant, { company_id: app.company_id, webhook_id: webhookId }, turnId, ended);
}

async function rowsOf(work: () => Promise<unknown>): Promise<number> {
  const [first] = await statementsOf(work);
  return planRows(app.database, first!);
}

test.each(['one event', 'all events'])(
  'reads far fewer rows than the backlog, with statistics of %s',
  async (known) => {
    const learn = async () => {
      if (known === 'all events') await app.database.query('analyze events, deliveries');
    };
    await emitReports(app.database.db, app.company_id, 1);
    const [numbering] = await statementsOf(dispatchAll);
    await fixStatistics(app.database, ['events', 'deliveries']);
    await emitReports(app.database.db, app.company_id, events);
    await learn();
    const numbered = await planRows(app.database, numbering!);
    expect(numbered).toBeGreaterThan(500); // else nothing was numbered
    expect(numbered).toBeLessThan(4 * events); // with a join, over five times as many

    await dispatchAll();
    await learn();
    expect(await rowsOf(claim)).toBeLessThan(events);
    const deliveries = await claim();
    expect(deliveries).toHaveLength(claimSize);
    expect(await rowsOf(() => record(deliveries))).toBeLessThan(events);
  },
);

test.each([
  // The indexes keep their size, with no rows in them.
  ['earlier ones were completed', "update deliveries set status = 'succeeded', due_at = null"],
  ['they were due later', "update deliveries set due_at = now() + interval '1 hour'"],
])('reads no deliveries that wait in other subscriptions, with statistics from when %s', async (_, statement) => {
  await otherDeliveries();
  await fixStatistics(app.database, ['deliveries']);
  await app.database.query(statement);
  await fixStatistics(app.database, ['deliveries']);
  await otherDeliveries();
  await emitReports(app.database.db, app.company_id, claimSize);
  await dispatchAll();
  const [claiming] = await statementsOf(claim);
  expect(await pagesOfCachedPlan(app.database, claiming!)).toBeLessThan(100);
  const deliveries = await claim();
  const [recording] = await statementsOf(() => record(deliveries));
  expect(await pagesOfCachedPlan(app.database, recording!)).toBeLessThan(1_000);
});

/** Due deliveries of a subscription that doesn't exist. */
async function otherDeliveries(): Promise<void> {
  await app.database.query(
    `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, due_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'report.created', 'envelope', now() - interval '1 ms' * n
     from generate_series($3::int, 1, -1) n`,
    [app.company_id, randomUUID(), 10 * events],
  );
}
