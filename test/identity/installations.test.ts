/** Apps that act for a company: from the question to the admin to what outlives them, and what an attacker would try. */
import supertest from 'supertest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { addApp, known_app_secret } from '../helpers/apps.ts';
import { withinSecond } from '../helpers/eventually.ts';
import {
  authorizationUrl,
  createBrowser,
  newVerifier,
  type Page,
  type Tokens,
  tokenRequest,
} from '../helpers/oauth.ts';

const password = 'correct horse battery staple';
const redirect_uri = 'http://127.0.0.1/callback';
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
  client = { id: await addApp(app, { name: 'Shift planner' }), secret: known_app_secret };
});

/** As far as the question. */
async function asked(
  email: string,
  { parameters = '&installation=true', browser = createBrowser(app.base_url), id = client.id } = {},
) {
  const verifier = newVerifier();
  const url = authorizationUrl({ base_url: app.base_url, redirect_uri, client_id: id, scopes, verifier }) + parameters;
  let page = await browser.open(url);
  if (page.forms[0]?.has('password')) {
    page = await browser.submit(page, page.forms[0], { email, password, action: 'login' });
  }
  const answer = (values: Record<string, string>) =>
    browser.submit(page, page.forms.at(-1)!, { action: 'allow', ...values });
  return { browser, page, answer, verifier };
}

async function exchange(page: Page, code_verifier: string): Promise<Tokens> {
  const code = page.location!.searchParams.get('code')!;
  const body = { grant_type: 'authorization_code', code, redirect_uri, code_verifier };
  return (await tokenRequest(app.base_url, client, body)).json() as Promise<Tokens>;
}

async function install(role = 'admin', email = mariana, company = app.company_id): Promise<Tokens> {
  const { answer, verifier } = await asked(email);
  return exchange(await answer({ company, role }), verifier);
}

const refresh = async ({ refresh_token }: Tokens) => {
  const body = { grant_type: 'refresh_token', refresh_token: refresh_token! };
  return (await (await tokenRequest(app.base_url, client, body)).json()) as Tokens & { error?: string };
};

/** What an installation may send. */
function by({ access_token }: { access_token: string }, company_id = app.company_id) {
  const send = (method: 'get' | 'post' | 'patch' | 'delete') => (path: string, body?: object) =>
    supertest(app.base_url)
      [method](path)
      .set({ authorization: `Bearer ${access_token}`, 'x-company-id': company_id })
      .send(body);
  return { get: send('get'), post: send('post'), patch: send('patch'), delete: send('delete') };
}

const people = '/v1/collaborators';
const whoIs = async (tokens: Tokens) => (await by(tokens).get('/auth/user').expect(200)).body;

describe('installing', () => {
  test('the page says what an installation means, and asks for one company and a role', async () => {
    const { page, answer } = await asked(mariana);
    expect(page.html).toContain('The app will act for the company by itself, not for you');
    expect(page.html).toContain('type="radio" name="role" value="manager"');
    const values: [number, Record<string, string>][] = [
      [400, { company: app.company_id }],
      [400, { role: 'admin' }],
      [400, { company: app.company_id, role: 'owner' }],
    ];
    for (const [status, sent] of values) expect((await answer(sent)).status).toBe(status);
  });

  test('the token says who it is, and has the role that was chosen', async () => {
    const tokens = await install('manager');
    const { user_id } = await app.admin;
    const user = await whoIs(tokens);
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
    expect(claims.sub).not.toBe(user_id);
    expect((await app.admin.get('/auth/user').expect(200)).body.kind).toBe('user');
  });

  test('as a manager it leads everybody, and does no more than a manager may', async () => {
    const manager = by(await install('manager'));
    const { meta, data } = (await manager.get(people).expect(200)).body;
    expect(meta.total).toBe(4);
    expect(data.every((person: object) => !('salary' in person))).toBe(true);
    await manager.get(`${people}/${app.report.collaborator_id}`).expect(200);
    await manager.patch(`${people}/${app.report.collaborator_id}`, { phone: '+1' }).expect(200);
    await manager.post(people, {}).expect(403);
    await manager.post(`${people}/${app.report.collaborator_id}/role`, { role: 'admin' }).expect(403);
  });

  test('as an admin it sees salaries, exports, and is named in the audit log with who installed it', async () => {
    const tokens = await install();
    const admin = by(tokens);
    expect((await admin.get(`${people}/${app.report.collaborator_id}`).expect(200)).body.salary).toBe(48_000.5);
    const { id } = (await admin.get(`${people}/export/list`).expect(200)).body;
    await admin.get(`/v1/exports/${id}`).expect(200);
    await admin.patch(`${people}/${app.report.collaborator_id}`, { phone: '+2' }).expect(200);
    const { id: installation_id } = await whoIs(tokens);
    const { data } = (await admin.get(`/v1/audit?actor_id=${installation_id}`).expect(200)).body;
    const entry = data.find(({ action }: { action: string }) => action === 'patchCollaborator');
    expect(entry.actor).toEqual({
      type: 'installation',
      user_id: installation_id,
      name: 'Shift planner',
      email: null,
      client_id: client.id,
      installed_by: app.admin.user_id,
    });
    const installed = (await admin.get('/v1/audit?action=app.installed').expect(200)).body.data;
    expect(installed[0].actor).toMatchObject({ type: 'user', user_id: app.admin.user_id });
  });

  test('any admin sees it and ends it; nobody else does', async () => {
    const tokens = await install();
    const { id } = await whoIs(tokens);
    for (const other of [app.manager, app.employee]) await other.get(`/v1/connections/${id}`).expect(404);
    const shown = (await app.admin.get(`/v1/connections/${id}`).expect(200)).body;
    expect(shown).toMatchObject({ kind: 'installation', role: 'admin', expires_at: null });
    await app.admin.delete(`/v1/connections/${id}`).expect(200);
    await withinSecond(async () => {
      await by(tokens).get(people).expect(401);
    });
    expect((await refresh(tokens)).error).toBe('invalid_grant');
  });
});

describe('it outlives who installed it', () => {
  /** A second admin, who leaves. */
  async function secondAdmin() {
    await app.admin.post(`${people}/${app.manager.collaborator_id}/role`, { role: 'admin' }).expect(200);
    return 'rui.almeida@example.com';
  }
  const back = (role: string) => app.admin.post(`${people}/${app.manager.collaborator_id}/role`, { role }).expect(200);

  test('it keeps its role, whatever becomes of theirs, and goes on when they are deactivated', async () => {
    const tokens = await install('manager', await secondAdmin());
    await back('employee');
    expect((await whoIs(tokens)).companies[0].role).toBe('manager');
    await back('admin');
    expect((await whoIs(tokens)).companies[0].role).toBe('manager');
    await app.admin.post(`${people}/${app.manager.collaborator_id}/deactivate`).expect(200);
    await by(tokens).get(people).expect(200);
    const next = await refresh(tokens);
    expect((await by(next).get(people).expect(200)).body.meta.total).toBe(4);
    await app.admin.post(`${people}/${app.manager.collaborator_id}/activate`).expect(200);
    await back('manager');
  });
});

describe('refused', () => {
  test('to who is not an admin, even by sending the form that they do not see', async () => {
    const { page, answer } = await asked('rui.almeida@example.com');
    expect(page.html).toContain('Only an admin of a company can install an app in it.');
    expect((await answer({ company: app.company_id, role: 'admin' })).location).toBeUndefined();
  });

  test('to an app without a secret, and with another value', async () => {
    const id = await addApp(app, { secret_hash: null });
    const { page } = await asked(mariana, { id });
    expect(page.location?.searchParams.get('error')).toBe('unauthorized_client');
    const other = await asked(mariana, { parameters: '&installation=yes' });
    expect(other.page.location?.searchParams.get('error')).toBe('invalid_request');
  });

  test('in a company of others: neither chosen in the form, nor named with the token', async () => {
    const { answer } = await asked(mariana);
    expect((await answer({ company: app.outsider.company_id, role: 'admin' })).status).toBe(400);
    const tokens = await install();
    await by(tokens, app.outsider.company_id).get(people).expect(403);
  });

  test('a person who signs in afterwards does not get it, though the app is the same', async () => {
    const { browser, answer, verifier } = await asked(mariana);
    const installed = await exchange(await answer({ company: app.company_id, role: 'admin' }), verifier);
    const again = await asked(mariana, { browser, parameters: '' });
    expect(again.page.location).toBeUndefined();
    const tokens = await exchange(await again.answer({ company: app.company_id }), again.verifier);
    expect(await whoIs(tokens)).toMatchObject({ kind: 'user', id: app.admin.user_id });
    expect((await whoIs(installed)).kind).toBe('installation');
  });

  test('a token of a person is none of an installation, nor the other way round', async () => {
    const { id } = await whoIs(await install());
    const forged = await app.as('employee', { client_id: client.id, claims: { grant_id: id } });
    await forged.get(people).expect(401);
    const grant_id = (
      await app.database.query('select id from oauth_grants where installation_role is null limit 1')
    )[0]!.id;
    const other = await app.as('employee', { claims: { sub: grant_id, grant_id } });
    await other.get(people).expect(401);
  });
});
