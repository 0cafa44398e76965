/** Event numbering by many processes: unique, without gaps, and in commit order. */
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database/database.ts';
import { emitReports, localWebhooks, statuses } from '../../helpers/resources/deliveries.ts';
import { addWebhook } from '../../helpers/resources/webhooks.ts';

const dispatchers = 8;
const writers = 4;
const events = 200;

let app: TestApp;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
afterAll(() => app.close());

/** A number exists only if all below it do, at any moment. */
async function numbered(): Promise<{ count: number; last: number }> {
  const [row] = await app.database.query<{ count: number; distinct: number; last: number }>(
    `select count(*)::int as count, count(distinct sequence)::int as distinct, coalesce(max(sequence), 0)::int as last
     from events where company_id = $1 and sequence is not null`,
    [app.company_id],
  );
  const { count, distinct, last } = row!;
  expect({ count, distinct }).toEqual({ count: last, distinct: last });
  return { count, last };
}

async function unnumbered(): Promise<number> {
  const [row] = await app.database.query<{ left: number }>(
    'select count(*)::int as left from events where company_id = $1 and sequence is null',
    [app.company_id],
  );
  return row!.left;
}

const toolsOf = (db: TestApp['database']['db']) => {
  return { db, mail: createMailQueue(app.config.encryption_keys), quotas: createQuotas(app.config.quotas) };
};

test('with eight numbering and four writing processes, each event gets one number and one delivery', async () => {
  const webhook = await addWebhook(app, { events: ['report.created'] });
  const pools = Array.from({ length: dispatchers }, () => openTestDatabase(app.database.url, 1, async () => {}));
  let writing = true;
  const dispatch = async (db: TestApp['database']['db']) => {
    const tools = toolsOf(db);
    while (writing || (await unnumbered()) > 0) await dispatchEvents(tools, app.company_id);
  };
  const write = async () => {
    for (let n = 0; n < events / writers; n++) {
      await emitReports(app.database.db, app.company_id, 1);
      await numbered();
    }
  };
  const dispatching = Promise.all(pools.map(({ db }) => dispatch(db)));
  await Promise.all(Array.from({ length: writers }, write));
  writing = false;
  await dispatching;
  const { count } = await numbered();
  expect(count).toBeGreaterThanOrEqual(events);
  expect(
    await app.database.query('select last_sequence::int as last from event_sequences where company_id = $1', [
      app.company_id,
    ]),
  ).toEqual([{ last: count }]);
  expect(await statuses(app.database, webhook)).toEqual({ pending: events });
  for (const { drop } of pools) await drop();
});

test('a batch beyond one transaction continues in the next, and the last one reports the end', async () => {
  const { db } = app.database;
  await emitReports(db, app.company_id, 5_600);
  const { last } = await numbered();
  const tools = toolsOf(db);
  expect(await dispatchEvents(tools, app.company_id)).toMatchObject({ more: true });
  expect(await numbered()).toMatchObject({ last: last + 5_000 });
  expect(await dispatchEvents(tools, app.company_id)).toMatchObject({ more: false });
  expect(await numbered()).toMatchObject({ last: last + 5_600 });
});
