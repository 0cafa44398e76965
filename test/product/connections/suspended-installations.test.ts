/** Suspends an app whose role exceeds that of the demoted person who installed it, until an admin confirms it. */
import { createMailQueue, type Mail } from '../../../src/platform/mail/mail-queue.ts';
import type { InstallationsJob } from '../../../src/product/connections/installation-jobs.ts';
import { createInstallationLinks } from '../../../src/product/connections/installation-links.ts';
import { mailAdmins } from '../../../src/product/connections/installer-departure.ts';
import { followInstallation } from '../../../src/product/webhooks/subscriptions/installation-webhooks.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { addInstallation } from '../../helpers/database/connections.ts';
import { drainJobs } from '../../helpers/database/jobs.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createBrowser } from '../../helpers/identity/oauth.ts';
import { startImport } from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';

const people = '/v1/collaborators';

let app: TestApp;
let robot: TestClient;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await setRole('admin');
  robot = await addInstallation(app, 'manager', 'admin');
  await robot.get(people).expect(200);
});
afterEach(async () => {
  await app.database.query('update oauth_grants set revoked_at = now() where installation_role is not null');
  await app.database.query('delete from webhooks');
});

const setRole = (role: string) => app.admin.post(`${people}/${app.manager.collaborator_id}/role`, { role }).expect(200);
const connection = async () => (await app.admin.get(`/v1/connections/${robot.user_id}`).expect(200)).body;
const confirm = (client: TestClient) => client.post(`/v1/connections/${robot.user_id}/confirm`);
const suspended = { error: 'forbidden', details: { reason: 'installation_suspended' } };
const refusedWithinSecond = () =>
  eventually(async () => {
    expect((await robot.get(people)).status).toBe(403);
  });
const eventuallyResponds = () => eventually(async () => expect((await robot.get(people)).status).toBe(200));
const notifiedAdmins = async () =>
  (await app.admin.get('/v1/connections?needs_confirmation=true').expect(200)).body.data.map(
    ({ id }: { id: string }) => id,
  );

const links = () => createInstallationLinks(app.config.encryption_keys);

async function mailsAfter(change: () => PromiseLike<unknown>): Promise<Mail[]> {
  const mail = createMailQueue(app.config.encryption_keys);
  for (const task of ['sendMail', 'requestInstallationApproval']) await drainJobs(app, task);
  await change();
  const postage = { mail, links: links(), base_url: app.base_url };
  for (const job of await drainJobs<InstallationsJob>(app, 'requestInstallationApproval'))
    await mailAdmins(app.database.db, postage, job);
  return (await drainJobs(app, 'sendMail')).map((payload) => mail.open(payload));
}

async function follow(): Promise<void> {
  const tools = { db: app.database.db, mail: createMailQueue(app.config.encryption_keys) };
  for (const { company_id: companyId, installationIds } of await drainJobs<InstallationsJob>(
    app,
    'followInstallations',
  ))
    for (const id of installationIds) await followInstallation(tools, companyId, id);
}

const entries = async (action: string) =>
  (await app.admin.get(`/v1/audit?action=${action}&target_id=${robot.user_id}`).expect(200)).body.data;

describe('demoted below the app', () => {
  test('its requests are rejected within a second, except for reading its own identity', async () => {
    await setRole('manager');
    await refusedWithinSecond();
    for (const response of [
      await robot.get(people),
      await robot.post(`${people}/${app.manager.collaborator_id}/role`, { role: 'admin' }),
      await robot.delete(`/v1/connections/${robot.user_id}`),
      await confirm(robot),
      await robot.get('/v1/nothing'),
    ]) {
      expect([response.status, response.body]).toMatchObject([403, suspended]);
    }
    expect((await robot.get('/auth/user').expect(200)).body.kind).toBe('installation');
    await app.admin.get(people).expect(200);
  });

  test('the connection shows it, admins are asked, and the audit log names it', async () => {
    expect(await connection()).toMatchObject({ suspended_at: null, confirmation_requested_at: null });
    expect(await notifiedAdmins()).toEqual([]);
    await setRole('employee');
    expect(await connection()).toMatchObject({
      suspended_at: expect.any(String),
      confirmation_requested_at: expect.any(String),
    });
    expect(await notifiedAdmins()).toEqual([robot.user_id]);
    expect((await app.admin.get('/v1/connections?needs_confirmation=false').expect(200)).body.data).not.toContainEqual(
      expect.objectContaining({ id: robot.user_id }),
    );
    expect(await entries('app.suspended')).toMatchObject([
      { actor: { user_id: app.admin.user_id }, target: { type: 'connection' }, details: { client_id: 'test-client' } },
    ]);
  });

  test('all admins get an email, and nobody else', async () => {
    const role = (name: string) =>
      app.admin.post(`${people}/${app.report.collaborator_id}/role`, { role: name }).expect(200);
    await role('admin');
    const mails = await mailsAfter(() => setRole('manager'));
    await role('employee');
    const values = { app: 'Tests', company: 'Verde Logística', person: 'Rui Almeida', isSuspended: true };
    expect(mails.toSorted((a, b) => (a.to < b.to ? -1 : 1))).toMatchObject([
      { template: 'installer_demoted', to: 'clara.sousa@example.com', values },
      { template: 'installer_demoted', to: 'mariana.duarte@example.com', values },
    ]);
  });

  test('its pending imports fail, and its export links expire', async () => {
    const started = (await robot.get(`${people}/export/list?format=csv`).expect(200)).body;
    const importId = await startImport(robot, {});
    expect((await fetch(started.url)).status).toBe(200);
    await setRole('manager');
    await refusedWithinSecond();
    expect((await fetch(started.url)).status).toBe(410);
    const worker = await testWorker(app);
    try {
      await eventually(async () => {
        const { body } = await app.admin.get(`/v1/imports/${importId}`).expect(200);
        expect([body.status, body.counts.created]).toEqual(['failed', 0]);
      });
    } finally {
      await worker.stop();
    }
  });

  test('its webhooks are deactivated, others aren’t, and resume with it', async () => {
    const webhook = async (client: TestClient) =>
      (await client.post('/v1/webhooks', { url: 'https://hooks.example.com/in', events: ['*'] }).expect(201)).body.id;
    const [own, other] = [await webhook(robot), await webhook(app.admin)];
    const read = async (id: string) => {
      const { status, deactivation_reason: deactivationReason } = (
        await app.admin.get(`/v1/webhooks/${id}`).expect(200)
      ).body;
      return [status, deactivationReason];
    };
    await setRole('manager');
    await follow();
    expect([await read(own), await read(other)]).toEqual([
      ['deactivated', 'installation_suspended'],
      ['active', null],
    ]);
    await confirm(app.admin).expect(200);
    await follow();
    expect([await read(own), await read(other)]).toEqual([
      ['active', null],
      ['active', null],
    ]);
  });

  test('a webhook that someone deactivated stays deactivated', async () => {
    const sent = { url: 'https://hooks.example.com/in', events: ['*'] };
    const { id } = (await robot.post('/v1/webhooks', sent).expect(201)).body;
    await app.admin.put(`/v1/webhooks/${id}`, { status: 'deactivated' }).expect(200);
    await setRole('manager');
    await follow();
    await confirm(app.admin).expect(200);
    await follow();
    expect((await app.admin.get(`/v1/webhooks/${id}`)).body.deactivation_reason).toBe('manual');
  });
});

describe('confirmed', () => {
  test('by another admin, who becomes responsible, it works again within a second', async () => {
    await setRole('manager');
    await refusedWithinSecond();
    const { body } = await confirm(app.admin).expect(200);
    expect(body).toMatchObject({
      id: robot.user_id,
      suspended_at: null,
      confirmation_requested_at: null,
      allowed_by: { user_id: app.admin.user_id },
    });
    await eventuallyResponds();
    expect(await notifiedAdmins()).toEqual([]);
    expect(await entries('confirmConnection')).toMatchObject([{ actor: { user_id: app.admin.user_id } }]);
    // Now it can't change the role of the admin who confirmed it.
    await robot.post(`${people}/${app.admin.collaborator_id}/role`, { role: 'manager' }).expect(403);
  });

  test('by the link in the email', async () => {
    const [mail] = await mailsAfter(() => setRole('manager'));
    const browser = createBrowser(app.base_url);
    const page = await browser.open((mail!.values as { link: string }).link);
    expect(page.html).toContain('is suspended');
    expect((await browser.submit(page, page.forms[0]!, { action: 'keep' })).status).toBe(200);
    await eventuallyResponds();
    expect(await connection()).toMatchObject({ suspended_at: null, allowed_by: { user_id: app.admin.user_id } });
    expect(await entries('app.kept')).toHaveLength(1);
  });

  test('but not by the person who installed it, with or without a link', async () => {
    await setRole('manager');
    // An admin again, but it stays suspended for them.
    await app.database.query("update collaborators set role = 'admin' where id = $1", [app.manager.collaborator_id]);
    const newManager = await app.as('manager', {});
    const { body } = await confirm(newManager).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', message: expect.stringContaining('other than the one who') });
    const { company_id: companyId } = app;
    const token = links().token({
      company_id: companyId,
      installation_id: robot.user_id,
      user_id: app.manager.user_id,
    });
    expect((await createBrowser(app.base_url).open(`${app.base_url}/oauth/installation/${token}`)).status).toBe(410);
    expect(await connection()).toMatchObject({ suspended_at: expect.any(String) });
  });
});

test('it continues when an admin restores the person’s role, but not when an app does', async () => {
  const helper = await addInstallation(app, 'admin', 'admin');
  const lead = await addInstallation(app, 'manager', 'manager');
  await setRole('employee');
  await eventually(async () => expect((await lead.get(people)).status).toBe(403));
  await helper.post(`${people}/${app.manager.collaborator_id}/role`, { role: 'manager' }).expect(200);
  expect((await lead.get(people)).status).toBe(403);
  await setRole('employee');
  await setRole('manager');
  await eventually(async () => expect((await lead.get(people)).status).toBe(200));
  expect((await robot.get(people)).status).toBe(403);
  await setRole('admin');
  await eventuallyResponds();
  expect(await entries('app.resumed')).toHaveLength(1);
});

test('with a role not below the app’s, admins are asked and it continues', async () => {
  const lead = await addInstallation(app, 'manager', 'manager');
  const mails = await mailsAfter(() => setRole('manager'));
  expect(mails).toHaveLength(2);
  expect(mails.map(({ values }) => (values as { isSuspended?: boolean }).isSuspended).sort()).toEqual([false, true]);
  expect((await notifiedAdmins()).sort()).toEqual([robot.user_id, lead.user_id].sort());
  await refusedWithinSecond();
  await lead.get(people).expect(200);
});

test.each([
  ['deactivated', () => app.admin.post(`${people}/${app.manager.collaborator_id}/deactivate`).expect(200)],
  ['deleted', () => app.admin.delete(`${people}/${app.manager.collaborator_id}`).expect(200)],
])('when the person is %s, admins are asked and it continues', async (_name, leave) => {
  const mails = await mailsAfter(leave);
  expect(mails).toMatchObject([{ template: 'installer_left' }]);
  expect(await notifiedAdmins()).toEqual([robot.user_id]);
  await robot.get(people).expect(200);
  await confirm(app.admin).expect(200);
  expect(await notifiedAdmins()).toEqual([]);
  await app.admin.post(`${people}/${app.manager.collaborator_id}/restore`).expect(200);
  await app.admin.post(`${people}/${app.manager.collaborator_id}/activate`).expect(200);
});
