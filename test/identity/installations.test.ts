/** Installations: apps that act for a company, from the admin's consent to surviving the admin, and attacks on them. */
import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { createStorage } from '../../src/platform/files/context.ts';
import { createPerson } from '../../src/product/companies/companies.ts';
import { eraseCollaborator } from '../../src/product/erasure/erase-person.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { accessChangesApplied } from '../helpers/identity/access-changes.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  type Tokens,
  tokenRequest,
} from '../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../helpers/resources/apps.ts';

import { age } from './service.ts';

const password = 'correct horse battery staple';
const redirectUri = 'http://127.0.0.1/callback';
const all = ['profile', 'offline_access', 'collaborators:read', 'collaborators:write', 'salary:read', 'roles:write'];
const scopes = [...all, 'exports:read', 'audit:read', 'connections:manage', 'webhooks:manage'];
const mariana = 'mariana.duarte@example.com';

let app: TestApp;
let client: { id: string; secret: string };
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  client = { id: await addApp(app, { name: 'Shift planner' }), secret: knownAppSecret };
});

/** Browsers that stay signed in, by email. */
const browsers = new Map<string, Browser>();

/** Goes through the flow up to the consent page. */
async function openConsent(email: string, { parameters = '&installation=true', id = client.id } = {}) {
  const browser = browsers.get(email) ?? createBrowser(app.base_url);
  browsers.set(email, browser);
  const verifier = newVerifier();
  const url =
    authorizationUrl({ base_url: app.base_url, redirect_uri: redirectUri, client_id: id, scopes, verifier }) +
    parameters;
  let page = await browser.open(url);
  if (page.forms[0]?.has('password')) {
    page = await browser.submit(page, page.forms[0], { email, password, action: 'login' });
  }
  const submit = (values: Record<string, string>) =>
    browser.submit(page, page.forms.at(-1)!, { action: 'allow', ...values });
  return { page, submit, verifier };
}

async function exchange(page: Page, codeVerifier: string): Promise<Tokens> {
  const code = page.location!.searchParams.get('code')!;
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  return (await tokenRequest(app.base_url, client, body)).json() as Promise<Tokens>;
}

async function install(role = 'admin', email = mariana, company = app.company_id): Promise<Tokens> {
  const { submit, verifier } = await openConsent(email);
  return exchange(await submit({ company, role }), verifier);
}

const refresh = async ({ refresh_token: refreshToken }: Tokens) => {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
  return (await (await tokenRequest(app.base_url, client, body)).json()) as Tokens & { error?: string };
};

function by({ access_token: accessToken }: { access_token: string }, companyId = app.company_id) {
  const send = (method: 'get' | 'post' | 'patch' | 'delete') => (path: string, body?: object) =>
    supertest(app.base_url)
      [method](path)
      .set({ authorization: `Bearer ${accessToken}`, 'x-company-id': companyId })
      .send(body);
  return { get: send('get'), post: send('post'), patch: send('patch'), delete: send('delete') };
}

const people = '/v1/collaborators';
const currentUser = async (tokens: Tokens) => (await by(tokens).get('/auth/user').expect(200)).body;

describe('installing', () => {
  test('the page explains installations, and asks for one company and a role', async () => {
    const { page, submit } = await openConsent(mariana);
    expect(page.html).toContain('The app will act on behalf of the company, not for you');
    expect(page.html).toContain('type="radio" name="role" value="manager"');
    expect(page.html).toContain('Stay connected until somebody ends it');
    for (const ofAPerson of ['your email address', '180 days']) expect(page.html).not.toContain(ofAPerson);
    const values: [number, Record<string, string>][] = [
      [400, { company: app.company_id }],
      [400, { role: 'admin' }],
      [400, { company: app.company_id, role: 'owner' }],
    ];
    for (const [status, sent] of values) expect((await submit(sent)).status).toBe(status);
  });

  test('the token identifies the installation, and reaches everyone with the permissions of the chosen role', async () => {
    const tokens = await install('manager');
    const { user_id: userId } = await app.admin;
    const user = await currentUser(tokens);
    expect(user).toEqual({
      kind: 'installation',
      id: expect.any(String),
      name: 'Shift planner',
      email: null,
      avatar_url: null,
      scopes,
      companies: [{ id: app.company_id, name: 'Verde Logística', role: 'manager', collaborator_id: null }],
    });
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1]!, 'base64url').toString());
    expect(claims.sub).toBe(user.id);
    expect(claims.sub).not.toBe(userId);
    expect((await app.admin.get('/auth/user').expect(200)).body.kind).toBe('user');
    const manager = by(tokens);
    const { meta, data } = (await manager.get(people).expect(200)).body;
    expect(meta.total).toBe(4);
    expect(data.every((person: object) => !('salary' in person))).toBe(true);
    await manager.get(`${people}/${app.report.collaborator_id}`).expect(200);
    await manager.patch(`${people}/${app.report.collaborator_id}`, { phone: '+1' }).expect(200);
    await manager.post(people, {}).expect(403);
    await manager.post(`${people}/${app.report.collaborator_id}/role`, { role: 'admin' }).expect(403);
  });

  test('as an admin, it sees salaries and exports, and audit log and history name it and its installer', async () => {
    const tokens = await install();
    const admin = by(tokens);
    expect((await admin.get(`${people}/${app.report.collaborator_id}`).expect(200)).body.salary).toBe(48_000.5);
    const { id } = (await admin.get(`${people}/export/list`).expect(200)).body;
    await admin.get(`/v1/exports/${id}`).expect(200);
    const exported = (await admin.get('/v1/audit?action=export.completed&limit=1').expect(200)).body.data;
    expect(exported[0].actor).toMatchObject({ type: 'installation', client_id: client.id });
    await admin.patch(`${people}/${app.report.collaborator_id}`, { phone: '+2' }).expect(200);
    const { id: installationId } = await currentUser(tokens);
    const { data } = (await admin.get(`/v1/audit?actor_id=${installationId}`).expect(200)).body;
    const entry = data.find(({ action }: { action: string }) => action === 'patchCollaborator');
    expect(entry.actor).toEqual({
      type: 'installation',
      user_id: installationId,
      collaborator_id: null,
      name: 'Shift planner',
      email: null,
      client_id: client.id,
      client_name: 'Shift planner',
      installed_by: app.admin.user_id,
      installed_by_name: 'Mariana Duarte',
    });
    const installed = (await admin.get('/v1/audit?action=app.installed').expect(200)).body.data;
    expect(installed[0].actor).toMatchObject({ type: 'user', user_id: app.admin.user_id });

    // So does the history, even after it is revoked.
    const path = `${people}/${app.report.collaborator_id}`;
    await app.admin.patch(path, { location: 'Braga' }).expect(200);
    await app.admin.delete(`/v1/connections/${installationId}`).expect(200);
    const history = (await app.admin.get(`${path}/history?limit=2`).expect(200)).body;
    expect(history.data).toMatchObject([
      { user_id: app.admin.user_id, installation: null },
      {
        user_id: installationId,
        installation: { client_id: client.id, name: 'Shift planner', installed_by: app.admin.user_id },
      },
    ]);
    const individual = await app.admin.get('/v1/collaborators/export/individual').query({
      collaborator_id: app.report.collaborator_id,
      format: 'json',
    });
    const file = (await (await fetch(individual.body.url)).json()) as { history: object[] };
    expect(file.history.slice(0, 2)).toEqual(history.data);
  });

  test('any admin can see and revoke it, and nobody else', async () => {
    await app.admin.post(`${people}/${app.manager.collaborator_id}/role`, { role: 'admin' }).expect(200);
    const tokens = await install('manager', 'rui.almeida@example.com');
    await app.admin.post(`${people}/${app.manager.collaborator_id}/role`, { role: 'manager' }).expect(200);
    const { id } = await currentUser(tokens);
    for (const other of [app.manager, app.employee, app.outsider]) {
      await other.get(`/v1/connections/${id}`).expect(404);
      await other.delete(`/v1/connections/${id}`).expect(404);
    }
    await by(tokens).get(people).expect(200);
    const connection = (await app.admin.get(`/v1/connections/${id}`).expect(200)).body;
    expect(connection).toMatchObject({ kind: 'installation', role: 'manager', expires_at: null });
    await app.admin.delete(`/v1/connections/${id}`).expect(200);
    await eventually(async () => {
      await by(tokens).get(people).expect(401);
    });
    expect((await refresh(tokens)).error).toBe('invalid_grant');
  });
});

describe('surviving its installer', () => {
  /** Makes a second admin, who leaves later. */
  async function secondAdmin() {
    await back('admin');
    return 'rui.almeida@example.com';
  }
  async function back(role: string) {
    await app.admin.post(`${people}/${app.manager.collaborator_id}/role`, { role }).expect(200);
    await accessChangesApplied(app);
  }

  test('keeps its role regardless of the installer’s, and continues after their deactivation', async () => {
    const tokens = await install('manager', await secondAdmin());
    await back('employee');
    expect((await currentUser(tokens)).companies[0].role).toBe('manager');
    await back('admin');
    expect((await currentUser(tokens)).companies[0].role).toBe('manager');
    await app.admin.post(`${people}/${app.manager.collaborator_id}/deactivate`).expect(200);
    await accessChangesApplied(app);
    await by(tokens).get(people).expect(200);
    const next = await refresh(tokens);
    expect((await by(next).get(people).expect(200)).body.meta.total).toBe(4);
    const issued = (await app.admin.get('/v1/audit?action=token.issued&limit=1').expect(200)).body.data;
    expect(issued[0].actor).toMatchObject({
      type: 'installation',
      name: 'Shift planner',
      installed_by_name: 'Rui Almeida',
    });
    await app.admin.post(`${people}/${app.manager.collaborator_id}/activate`).expect(200);
    await back('manager');
  });

  test('after the installer’s demotion, it is suspended but can refresh, and continues once confirmed', async () => {
    const tokens = await install('admin', await secondAdmin());
    const { id } = await currentUser(tokens);
    await back('manager');
    const next = await refresh(tokens);
    expect(next.error).toBeUndefined();
    for (const each of [tokens, next]) {
      await eventually(async () => {
        const { status, body } = await by(each).get(people);
        expect([status, body.details]).toEqual([403, { reason: 'installation_suspended' }]);
      });
    }
    await app.admin.post(`/v1/connections/${id}/confirm`).expect(200);
    await eventually(async () => expect((await by(next).get(people)).status).toBe(200));
    await by(await refresh(next))
      .get(people)
      .expect(200);
  });

  test('continues after the installer is erased, and the audit log still names it', async () => {
    const { db } = app.database;
    const lia = { name: 'Lia Both', email: 'lia@example.com', position: 'Clerk', department: 'Office' };
    const { collaborator_id: collaboratorId } = await createPerson(db, app.company_id, {
      ...lia,
      role: 'admin',
      password,
    });
    const tokens = await install('manager', lia.email);
    const { id } = await currentUser(tokens);
    const storage = createStorage(app.config);
    const erasing = { db, storage, encryption_keys: app.config.encryption_keys, dry_run: false, companyFiles: false };
    const company = { id: app.company_id, name: 'Verde Logística' };
    expect(await eraseCollaborator(erasing, company, collaboratorId)).toMatchObject({ user: 'erased' });
    await by(tokens).get(people).expect(200);
    await by(await refresh(tokens))
      .get(people)
      .expect(200);
    const connection = (await app.admin.get(`/v1/connections/${id}`).expect(200)).body;
    expect(connection).toMatchObject({ kind: 'installation', allowed_by: { collaborator_id: null, name: null } });
    const { data } = (await app.admin.get('/v1/audit?action=token.issued&limit=1').expect(200)).body;
    expect(data[0].actor).toMatchObject({ type: 'installation', name: 'Shift planner', installed_by_name: null });
  });
});

describe('rejected', () => {
  test('for anyone but admins, even with a forged form', async () => {
    for (const email of ['rui.almeida@example.com', 'tomas.rocha@example.com']) {
      const { page, submit } = await openConsent(email);
      expect(page.html).toContain('Only an admin of a company can install an app in it.');
      expect((await submit({ company: app.company_id, role: 'admin' })).location).toBeUndefined();
    }
    expect(await app.database.query('select id from oauth_grants where client_id = $1', [client.id])).toEqual([]);
  });

  test('for an app without a secret, and for an invalid parameter value', async () => {
    const id = await addApp(app, { secret_hash: null });
    const { page } = await openConsent(mariana, { id });
    expect(page.location?.searchParams.get('error')).toBe('unauthorized_client');
    const other = await openConsent(mariana, { parameters: '&installation=yes' });
    expect(other.page.location?.searchParams.get('error')).toBe('invalid_request');
  });

  test('in another company, by form or by token header, and with forged tokens', async () => {
    const { submit } = await openConsent(mariana);
    expect((await submit({ company: app.outsider.company_id, role: 'admin' })).status).toBe(400);
    const tokens = await install();
    await by(tokens, app.outsider.company_id).get(people).expect(403);

    // A person's token doesn't work as an installation's, nor the other way around.
    const { id } = await currentUser(tokens);
    const forged = await app.as('employee', { client_id: client.id, claims: { grant_id: id } });
    await forged.get(people).expect(401);
    const grantId = randomUUID();
    const other = await app.as('employee', { client_id: client.id, grant_id: grantId, claims: { sub: grantId } });
    await other.get(people).expect(401);
  });

  test('for a person who signs in to the same app afterwards', async () => {
    const { submit, verifier } = await openConsent(mariana);
    const installed = await exchange(await submit({ company: app.company_id, role: 'admin' }), verifier);
    const second = await openConsent(mariana, { parameters: '' });
    expect(second.page.location).toBeUndefined();
    const tokens = await exchange(await second.submit({ company: app.company_id }), second.verifier);
    expect(await currentUser(tokens)).toMatchObject({ kind: 'user', id: app.admin.user_id });
    expect((await currentUser(installed)).kind).toBe('installation');
  });
});

test('a limit on sign-in age affects people’s tokens, but not installations', async () => {
  const tokens = await install();
  const { submit, verifier } = await openConsent(mariana, { parameters: '' });
  const own = await exchange(await submit({ company: app.company_id }), verifier);
  await app.database.query(
    "update oauth_grants set signed_in_at = now() - interval '2 days', created_at = now() - interval '2 days'",
  );
  await age(app, 'RefreshToken', 2 * 86_400);
  const strong = await app.as('admin', {});
  const limit = (sessionMaxAge: number | null) =>
    strong.put('/v1/company', { policy: { session_max_age: sessionMaxAge } }).expect(200);
  await limit(3_600);
  try {
    await eventually(async () => {
      await by(own).get(people).expect(401);
    });
    expect(await refresh(own)).toMatchObject({ error: 'invalid_grant' });
    await by(tokens).get(people).expect(200);
    const next = await refresh(tokens);
    expect((await currentUser(next)).kind).toBe('installation');
    await by(next).get(people).expect(200);
  } finally {
    await limit(null);
  }
});

describe('a company’s policy for other companies’ apps', () => {
  const allow = (allowedScopes: string[] | null) =>
    app.outsider.put('/v1/company', { policy: { allowed_scopes: allowedScopes } }).expect(200);

  test('limits them and their installations within a second, but not its own or the operator’s apps', async () => {
    const { company_id: companyId } = app.outsider;
    const token = { scopes: ['collaborators:read'] };
    const ownApp = await addApp({ database: app.database, company_id: companyId });
    const foreign = await app.as('outsider', { ...token, client_id: client.id });
    const own = await app.as('outsider', { ...token, client_id: ownApp });
    const grantId = randomUUID();
    const installation = { ...token, client_id: client.id, grant_id: grantId, claims: { sub: grantId } };
    const installed = await app.as('outsider', installation);
    await app.database.query("update oauth_grants set installation_role = 'admin' where id = $1", [grantId]);
    for (const other of [foreign, installed]) await other.get(people).expect(200);
    await allow(['profile']);
    await eventually(async () => {
      const { body } = await foreign.get(people).expect(403);
      expect(body.error).toBe('insufficient_scope');
      await installed.get(people).expect(403);
    });
    for (const other of [own, app.outsider]) await other.get(people).expect(200);
    await allow(null);
    await eventually(async () => {
      await foreign.get(people).expect(200);
    });
  });
});
