/** Imports that invite treat each new person like the single operation, and nobody else. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { csv, expectConsistent, range, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('every new person, and nobody else, gets one email with a personal link', async () => {
  const worker = await testWorker(app);
  const mails = async () => {
    const names = (await readdir(worker.outbox)).filter((name) => name.endsWith('.txt'));
    const texts = await Promise.all(names.map((name) => readFile(join(worker.outbox, name), 'utf8')));
    return texts.map((text) => ({ to: /^To: (.*)$/m.exec(text)![1]!, link: /^https?:\S+$/m.exec(text)![0] }));
  };
  const rows = range(8).map((serial) => [`Guest ${serial}`, `guest${serial}@example.com`, 'x', 'y']);
  const known = ['Rui Almeida', 'rui.almeida@example.com', 'Driver', 'Fleet'];
  const file = csv([requiredHeaders, ...rows, known, ['Bad', 'bad', 'x', 'y']]);
  const parts = { file, mode: 'upsert', send_invitations: true };
  let mailed: Awaited<ReturnType<typeof mails>> = [];
  try {
    const dry = await runImport(app.admin, { ...parts, dry_run: true });
    expect(dry.counts).toMatchObject({ created: 8, updated: 1, failed: 1 });
    expect(await mails()).toEqual([]);
    const job = await runImport(app.admin, parts);
    expect(job.counts).toMatchObject({ created: 8, updated: 1, failed: 1 });
    await eventually(async () => {
      // Skips the time between them.
      await app.database.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
      expect(await app.database.query('select 1 from graphile_worker.jobs')).toEqual([]);
      mailed = await mails();
    });
  } finally {
    await worker.stop();
  }
  expect(mailed.map(({ to }) => to).sort()).toEqual(
    range(8)
      .map((serial) => `guest${serial}@example.com`)
      .sort(),
  );
  expect(new Set(mailed.map(({ link }) => link)).size).toBe(8);
  await expectConsistent(app);

  const { body } = await app.admin.get('/v1/collaborators?search=guest7@example.com').expect(200);
  const { id } = body.data[0];
  const status = (await app.admin.get(`/v1/collaborators/${id}/status`).expect(200)).body;
  expect(status).toMatchObject({ status: 'pending', invitation: { state: 'sent', send_count: 1 } });
  const history = (await app.admin.get(`/v1/collaborators/${id}/history`).expect(200)).body.data;
  expect(history.map(({ action }: { action: string }) => action)).toEqual(['invited', 'created']);
  const events = await app.database.query<{ payload: string }>(
    "select payload from events where name = 'collaborator.invited' and payload like '%guest7@%'",
  );
  expect(events.map(({ payload }) => JSON.parse(payload))).toEqual([
    {
      collaborator_id: id,
      name: 'Guest 7',
      email: 'guest7@example.com',
      sent_by: app.admin.user_id,
      sent_at: status.invitation.sent_at,
      expires_at: status.invitation.expires_at,
      send_count: 1,
    },
  ]);
  // The link leads to the page for choosing a password.
  const link = mailed.find(({ to }) => to === 'guest7@example.com')!.link;
  expect((await fetch(link)).status).toBe(200);
});

test('a new person whose last day has passed is inactive and not invited, with a warning', async () => {
  const worker = await testWorker(app);
  const row = (name: string, lastDay: string | null) => [name, `${name}@left.example`, 'x', 'y', lastDay];
  const rows = [row('gone', '2026-01-31'), row('stays', null), row('later', '2031-01-31'), row('gone2', '2026-02-28')];
  const file = csv([[...requiredHeaders, 'termination_date'], ...rows]);
  try {
    const warnings = [{ code: 'already_left', message: expect.stringMatching(/row 2 .* 2 in all/), column: 'E' }];
    const dry = await runImport(app.admin, { file, dry_run: true });
    expect(dry).toMatchObject({ counts: { created: 4 }, warnings });
    const job = await runImport(app.admin, { file, send_invitations: true });
    expect(job).toMatchObject({ counts: { created: 4 }, warnings });
  } finally {
    await worker.stop();
  }
  const statuses = await app.database.query(
    `select name, status, status_reason, (select count(*)::int from invitations where collaborator_id = c.id) as invited
     from collaborators c where email like '%@left.example' order by name`,
  );
  const departed = (name: string, day: string) => ({
    ...{ name, status: 'inactive', invited: 0 },
    status_reason: `The last day of employment was ${day}.`,
  });
  const waits = (name: string) => ({ name, status: 'pending', status_reason: null, invited: 1 });
  expect(statuses).toEqual([
    departed('gone', '2026-01-31'),
    departed('gone2', '2026-02-28'),
    waits('later'),
    waits('stays'),
  ]);
  await expectConsistent(app);
});
