/** When the person who installed an app leaves, the app continues, and every admin gets an email with a personal link. */
import { createMailQueue, type Mail, type MailQueue } from '../../../src/platform/mail/mail-queue.ts';
import type { InstallationsJob } from '../../../src/product/connections/installation-jobs.ts';
import {
  createInstallationLinks,
  type InstallationLinks,
} from '../../../src/product/connections/installation-links.ts';
import { mailAdmins } from '../../../src/product/connections/installer-departure.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addConnection } from '../../helpers/database/connections.ts';
import { drainJobs } from '../../helpers/database/jobs.ts';
import { createBrowser } from '../../helpers/identity/oauth.ts';
import { addApp } from '../../helpers/resources/apps.ts';

let app: TestApp;
let mail: MailQueue;
let links: InstallationLinks;
let id: string;
beforeAll(async () => {
  app = await testApp();
  mail = createMailQueue(app.config.encryption_keys);
  links = createInstallationLinks(app.config.encryption_keys);
});
afterAll(() => app.close());

const manager = () => `/v1/collaborators/${app.manager.collaborator_id}`;

beforeEach(async () => {
  const clientId = await addApp(app, { name: 'Shift planner' });
  id = await addConnection(app, { client_id: clientId, user_id: app.manager.user_id, installation_role: 'admin' });
});
afterEach(async () => {
  await app.database.query('update oauth_grants set revoked_at = now() where installation_role is not null');
  await app.admin.post(`${manager()}/activate`).expect(200);
});

async function mailsAfter(leaves: () => PromiseLike<unknown>): Promise<Mail[]> {
  await drainJobs(app, 'sendMail');
  await leaves();
  const postage = { mail, links, base_url: app.base_url };
  for (const job of await drainJobs<InstallationsJob>(app, 'requestInstallationApproval'))
    await mailAdmins(app.database.db, postage, job);
  return (await drainJobs(app, 'sendMail')).map((payload) => mail.open(payload));
}

const deactivate = () => app.admin.post(`${manager()}/deactivate`).expect(200);
const linkIn = ([first]: Mail[]) => (first!.values as { link: string }).link;

async function decide(link: string, action: string) {
  const browser = createBrowser(app.base_url);
  const page = await browser.open(link);
  return { page, after: page.forms[0] && (await browser.submit(page, page.forms[0], { action })) };
}

test('emails every admin once per installation, which continues', async () => {
  const role = (name: string) =>
    app.admin.post(`/v1/collaborators/${app.report.collaborator_id}/role`, { role: name }).expect(200);
  await role('admin');
  const mails = await mailsAfter(deactivate);
  await role('employee');
  const values = expect.objectContaining({ app: 'Shift planner', company: 'Verde Logística' });
  expect(mails.toSorted((a, b) => (a.to < b.to ? -1 : 1))).toEqual([
    expect.objectContaining({ template: 'installer_left', to: 'clara.sousa@example.com', values }),
    expect.objectContaining({ template: 'installer_left', to: 'mariana.duarte@example.com', values }),
  ]);
  expect(linkIn(mails)).not.toBe(linkIn(mails.toReversed()));
  expect((await app.admin.get(`/v1/connections/${id}`).expect(200)).body.kind).toBe('installation');
});

test('sends nothing for personal or ended connections', async () => {
  await app.admin.delete(`/v1/connections/${id}`).expect(200);
  await addConnection(app, { user_id: app.manager.user_id });
  expect(await mailsAfter(deactivate)).toEqual([]);
});

test('if kept, the admin becomes the installer, which the audit log records', async () => {
  const { page, after } = await decide(linkIn(await mailsAfter(deactivate)), 'keep');
  expect(page.html).toContain('Shift planner');
  expect(after!.status).toBe(200);
  const { allowed_by: allowedBy } = (await app.admin.get(`/v1/connections/${id}`).expect(200)).body;
  expect(allowedBy.user_id).toBe(app.admin.user_id);
  const entries = await app.database.query("select actor_id, target_id from audit_log where action = 'app.kept'");
  expect(entries).toEqual([{ actor_id: app.admin.user_id, target_id: id }]);
});

test('if ended, it stops immediately with an event, and the link expires', async () => {
  const link = linkIn(await mailsAfter(deactivate));
  expect((await decide(link, 'end')).after!.status).toBe(200);
  await app.admin.get(`/v1/connections/${id}`).expect(404);
  const events = await app.database.query(
    "select payload::json ->> 'id' as id from events where name = 'connection.ended'",
  );
  expect(events.map((event) => event.id)).toContain(id);
  expect((await decide(link, 'keep')).page.status).toBe(410);
});

test('a modified link, or one of an employee, does nothing', async () => {
  const link = linkIn(await mailsAfter(deactivate));
  const ofEmployee = links.token({ company_id: app.company_id, installation_id: id, user_id: app.employee.user_id });
  for (const wrong of [
    `${link}A`,
    `${app.base_url}/oauth/installation/${ofEmployee}`,
    `${app.base_url}/oauth/installation/x`,
  ]) {
    expect((await decide(wrong, 'end')).page.status).toBe(410);
  }
  await app.admin.get(`/v1/connections/${id}`).expect(200);
});

test('rejects the form without its token', async () => {
  const link = linkIn(await mailsAfter(deactivate));
  const sent = await fetch(link, { method: 'POST', body: new URLSearchParams({ action: 'end' }) });
  expect(sent.status).toBe(403);
  await app.admin.get(`/v1/connections/${id}`).expect(200);
});
