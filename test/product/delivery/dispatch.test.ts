/** The events of a company are numbered by one process at a time; the others go on to the next company, and do not wait. */

import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { dispatchEvents } from '../../../src/product/delivery/dispatch.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { lockWaiters } from '../../helpers/lock-waiters.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('a company whose numbers another process has just given is left to it', async () => {
  const { db } = app.database;
  const mail = createMailQueue(app.config.encryption_keys);
  const tools = { db, mail, quotas: createQuotas(app.config.quotas) };
  await dispatchEvents(tools, app.company_id); // makes the row
  const tenant = db.tenant(app.company_id);
  let dispatched: unknown = 'not yet';
  await tenant.transaction(async (tx) => {
    await tx.updateTable('event_sequences').set({ last_sequence: 7 }).execute();
    const other = dispatchEvents(tools, app.company_id).then((result) => {
      dispatched = result;
    });
    const hasEnded = () => dispatched !== 'not yet';
    await eventually(async () => expect(hasEnded() || (await lockWaiters(app.database)) > 0).toBe(true));
    expect(dispatched).toBeUndefined();
    await other;
  });
});
