/** Step-up authentication (RFC 9470): the sign-in that a company requires for sensitive operations. */
import { randomUUID } from 'node:crypto';
import { addFactor, factorVault, removeAllFactors } from '../../src/identity/factors/factors.ts';
import { addTotp, newTotpSecret } from '../../src/identity/factors/totp.ts';
import { type TestApp, type TestClient, testApp } from '../helpers/app.ts';
import { addConnection } from '../helpers/database/connections.ts';
import { accessChangesApplied } from '../helpers/identity/access-changes.ts';
import { signIn, type Tokens, tokenRequest } from '../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../helpers/resources/apps.ts';
import { csv, requiredHeaders, runImport, sendImport, waitForImport } from '../helpers/resources/imports.ts';
import { testWorker } from '../helpers/worker.ts';

const people = '/v1/collaborators';
const password = 'correct horse battery staple';

const claimsOf = ({ access_token: accessToken }: Tokens) =>
  JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

let app: TestApp;
/** Signed in a minute ago, and two hours ago with a refreshed token. */
let fresh: TestClient;
let old: TestClient;

const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;

let ownConnection: string;
beforeAll(async () => {
  app = await testApp();
  ownConnection = await addConnection(app);
  fresh = await app.as('admin', { claims: { auth_time: ago(60), acr: '1fa', amr: ['pwd'] } });
  old = await app.as('admin', { claims: { auth_time: ago(7_200), acr: '1fa', amr: ['pwd'] } });
});
afterAll(() => app.close());

async function policy(asked: object): Promise<void> {
  const strong = await app.as('admin', { claims: { auth_time: ago(1), acr: '2fa' } });
  expect((await strong.put('/v1/company', { policy: asked })).status).toBe(200);
  await accessChangesApplied(app);
}

/** Each sensitive operation. */
const asked: [
  string,
  (client: TestClient) => PromiseLike<{ status: number; headers: Record<string, string>; body: object }>,
][] = [
  ['a change of the company', (client) => client.put('/v1/company', { locale: 'pt-BR' })],
  [
    'a change of a role',
    (client) => client.post(`${people}/${app.employee.collaborator_id}/role`, { role: 'employee' }),
  ],
  [
    'a new app',
    (client) =>
      client.post('/v1/apps', { name: 'An app', kind: 'public', redirect_uris: ['https://app.example/callback'] }),
  ],
  ['confirming an installation', (client) => client.post(`/v1/connections/${ownConnection}/confirm`)],
  ['an export of a list', (client) => client.get(`${people}/export/list?format=csv`)],
  ['an export of groups', (client) => client.get(`${people}/export-excel/group`)],
  [
    'an export of a person',
    (client) => client.get(`${people}/export/individual?collaborator_id=${app.report.collaborator_id}`),
  ],
  ['personal data', (client) => client.post(`${people}/${app.report.collaborator_id}/personal-data`)],
  ['salaries in a list', (client) => client.get(`${people}?fields=name,salary`)],
  ['a salary that is written', (client) => client.patch(`${people}/${app.report.collaborator_id}`, { salary: 48_001 })],
  ['a salary that is put', (client) => client.put(`${people}/${app.report.collaborator_id}`, { salary: 48_000.5 })],
  [
    'one’s own salary that is raised',
    (client) => client.patch(`${people}/${app.admin.collaborator_id}`, { salary: 1 }),
  ],
  [
    'a salary of somebody new',
    (client) => {
      const email = `${randomUUID()}@example.com`;
      return client.post(people, { name: 'New', email, position: 'Planner', department: 'Ops', salary: 1 });
    },
  ],
  [
    'a salary among many, also where nothing is written',
    (client) => {
      const items = [{ id: app.report.collaborator_id, salary: 48_000.5 }];
      return client.post(`${people}/bulk`, { mode: 'update', dry_run: true, items });
    },
  ],
  ['an import that may write salaries', (client) => sendImport(client, {})],
  ['the salary of somebody', (client) => client.get(`${people}/${app.report.collaborator_id}?fields=salary`)],
];

describe('with the policy', () => {
  beforeAll(() => policy({ step_up: true }));
  afterAll(() => policy({ step_up: false }));

  test.each(asked)('%s requires a sign-in within 15 minutes', async (_name, attempt) => {
    const { status, headers, body } = await attempt(old);
    expect([status, body]).toEqual([
      401,
      {
        error: 'insufficient_user_authentication',
        message: 'The company asks for a sign-in of the last 15 minutes for this. Sign in again.',
        details: { acr_values: '1fa 2fa', max_age: 900 },
      },
    ]);
    expect(headers['www-authenticate']).toBe(
      'Bearer realm="collaborator-api", error="insufficient_user_authentication", ' +
        'error_description="The company asks for a sign-in of the last 15 minutes for this. Sign in again.", ' +
        'acr_values="1fa 2fa", max_age="900"',
    );
    expect((await attempt(fresh)).status).toBeLessThan(400);
  });

  test.each([
    ['just before', 890, 200, undefined],
    ['just after', 910, 401, 'insufficient_user_authentication'],
  ])('the 15 minutes count from the sign-in: %s', async (_name, seconds, status, error) => {
    const client = await app.as('admin', { claims: { auth_time: ago(seconds) } });
    const response = await client.get(`${people}?fields=salary`);
    expect([response.status, response.body.error]).toEqual([status, error]);
  });

  test.each([
    ['says nothing of a sign-in', { auth_time: undefined }],
    ['says it in another form', { auth_time: '1' }],
    ['says the level alone', { auth_time: undefined, acr: '2fa' }],
  ])('a token that %s counts as too old', async (_name, claims) => {
    const client = await app.as('admin', { claims });
    expect((await client.get(people)).status).toBe(200); // the token itself is valid
    const { body } = await client.get(`${people}?fields=salary`).expect(401);
    expect(body.error).toBe('insufficient_user_authentication');
  });

  test('omits others’ salaries unless requested by name, and shows their own', async () => {
    const { body } = await old.get(`${people}/${app.report.collaborator_id}`);
    expect(body.restricted_fields).toEqual(['salary']);
    expect((await old.get(`${people}?fields=name`)).status).toBe(200);
    const list = await old.get(`${people}?per_page=100`);
    const visibleIds = list.body.data.filter((each: object) => 'salary' in each).map((each: { id: string }) => each.id);
    expect(visibleIds).toEqual([app.admin.collaborator_id]);
    const own = await old.get(`${people}/${app.admin.collaborator_id}?fields=salary`);
    expect([own.status, 'salary' in own.body]).toEqual([200, true]);
    const changed = await old.patch(`${people}/${app.report.collaborator_id}`, { location: 'Porto' });
    expect([changed.status, 'salary' in changed.body]).toEqual([200, false]);
    expect((await fresh.get(`${people}/${app.report.collaborator_id}`)).body.salary).toBe(48_000.5);
  });

  test('an import without a recent sign-in can be checked and committed without salaries, but not with them', async () => {
    const worker = await testWorker(app);
    try {
      const row = ['Ada Import', `${randomUUID()}@example.com`, 'Planner', 'Ops'];
      const plain = await runImport(old, { file: csv([requiredHeaders, row]), dry_run: true });
      expect(plain.counts.created).toBe(1);
      await old.post(`/v1/imports/${plain.id}/commit`).expect(202);
      await waitForImport(old, plain.id);
      const email = `${randomUUID()}@example.com`;
      const file = csv([
        [...requiredHeaders, 'salary'],
        ['Ada Import', email, 'Planner', 'Ops', '-1'],
        ['Eva Import', `eva.${email}`, 'Planner', 'Ops', 50_000],
      ]);
      const paid = await runImport(old, { file, dry_run: true });
      expect([paid.counts.created, paid.restricted_fields]).toEqual([
        1,
        ['error_report_url', 'columns.samples', 'preview.salary'],
      ]);
      const errors = (await old.get(`/v1/imports/${paid.id}/errors`).expect(200)).body.data;
      expect(errors).toMatchObject([{ field: 'salary', restricted_fields: ['value'] }]);
      const refused = await old.post(`/v1/imports/${paid.id}/commit`).expect(401);
      expect(refused.body.error).toBe('insufficient_user_authentication');
      await fresh.post(`/v1/imports/${paid.id}/commit`).expect(202);
      expect((await waitForImport(fresh, paid.id)).counts.created).toBe(1);
    } finally {
      await worker.stop();
    }
  });

  test('a replay for an Idempotency-Key shows only what the current sign-in can see', async () => {
    const key = randomUUID();
    const path = `${people}/${app.report.collaborator_id}`;
    const send = (client: TestClient) => client.patch(path, { location: 'Braga' }).set('Idempotency-Key', key);
    const first = await send(fresh).expect(200);
    expect(first.body).toMatchObject({ salary: expect.any(Number) });
    const replay = await send(fresh).expect(200);
    expect([replay.headers['idempotency-replayed'], replay.body]).toEqual(['true', first.body]);

    const later = await send(old).expect(200);
    const { salary: _, ...rest } = first.body;
    expect(later.headers['idempotency-replayed']).toBe('true');
    expect(later.body).toEqual({ ...rest, restricted_fields: ['salary'] });
    // The ETag is a hash of the full response.
    expect([first.headers.etag, later.headers.etag]).toEqual([expect.any(String), undefined]);
  });

  test('a replay omits the same parts of an import with salaries as a read', async () => {
    const worker = await testWorker(app);
    try {
      const file = csv([
        [...requiredHeaders, 'salary'],
        ['Ada Import', `${randomUUID()}@example.com`, 'Planner', 'Ops', '-1'],
        ['Eva Import', `${randomUUID()}@example.com`, 'Planner', 'Ops', '71300'],
      ]);
      const { id } = await runImport(fresh, { file, dry_run: true });
      const key = randomUUID();
      const cancel = (client: TestClient) =>
        client.post(`/v1/imports/${id}/cancel`).set('Idempotency-Key', key).expect(200);
      const first = await cancel(fresh);
      expect(first.body.error_report_url).toContain('/files/');
      expect(first.text).toContain('71300');
      const { body, headers } = await cancel(old);
      expect(headers['idempotency-replayed']).toBe('true');
      expect(body).toEqual((await old.get(`/v1/imports/${id}`).expect(200)).body);
      expect(body).not.toHaveProperty('error_report_url');
      expect(JSON.stringify(body)).not.toContain('71300');
    } finally {
      await worker.stop();
    }
  });

  test('sending values back unchanged needs no step-up', async () => {
    const { body } = await old.get(`${people}/${app.admin.collaborator_id}`).expect(200);
    await old.put(`${people}/${app.admin.collaborator_id}`, { ...body, location: 'Faro' }).expect(200);
  });

  test('callers who can’t write salaries get that error instead', async () => {
    const scopes = ['collaborators:read', 'collaborators:write', 'imports:write'];
    const without = await app.as('admin', { scopes, claims: { auth_time: ago(7_200) } });
    const refused = await without.patch(`${people}/${app.report.collaborator_id}`, { salary: 1 }).expect(403);
    expect(refused.body.error).toBe('field_forbidden');
    expect((await sendImport(without, {})).status).toBe(202);
  });

  test('revoking access never needs a step-up', async () => {
    const id = await addConnection(app, { user_id: app.employee.user_id });
    expect((await old.delete(`/v1/connections/${id}`)).status).toBe(200);
    expect((await old.get('/v1/permissions')).body.data).toContainEqual(
      expect.objectContaining({ operation_id: 'endConnection', allowed: true, needs_step_up: false }),
    );
  });

  test('callers who can’t read others’ salaries aren’t affected, nor is anything else', async () => {
    const employee = await app.as('employee', { claims: { auth_time: ago(7_200) } });
    const own = await employee.get(`${people}/${app.employee.collaborator_id}?fields=salary`);
    expect([own.status, own.body.salary]).toEqual([200, 39_500]);
    const without = await app.as('admin', {
      scopes: ['collaborators:read', 'exports:read'],
      claims: { auth_time: ago(7_200) },
    });
    expect((await without.get(`${people}/export/list?format=csv`)).status).toBe(200);
    expect((await old.get('/v1/company')).status).toBe(200);
    expect((await app.outsider.get(`${people}?fields=salary`)).status).toBe(200);
  });

  test('checks token and role first, so nobody signs in for nothing', async () => {
    const employee = await app.as('employee', { claims: { auth_time: ago(7_200) } });
    const { body } = await employee.put('/v1/company', { name: 'Mine' }).expect(403);
    expect(body.error).toBe('forbidden');
    const scopeless = await app.as('admin', { scopes: ['profile'], claims: { auth_time: ago(7_200) } });
    expect((await scopeless.post('/v1/apps', {})).body.error).toBe('insufficient_scope');
  });

  test('a finished export needs a recent sign-in', async () => {
    const created = await fresh.get(`${people}/export/list?format=csv`);
    const { body } = await old.get(`/v1/exports/${created.body.id}`).expect(401);
    expect(body.error).toBe('insufficient_user_authentication');
    expect((await fresh.get(`/v1/exports/${created.body.id}`)).status).toBe(200);
  });

  test('the list of permissions explains it', async () => {
    const needing = async (client: TestClient) => {
      const { body } = await client.get('/v1/permissions');
      const data = body.data as { operation_id: string; allowed: boolean; needs_step_up: boolean }[];
      expect(data.filter((each) => each.needs_step_up && each.allowed)).toEqual([]);
      return data.filter((each) => each.needs_step_up).map((each) => each.operation_id);
    };
    expect(await needing(fresh)).toEqual([]);
    const needed = await needing(old);
    for (const operation of ['updateCompany', 'createApp', 'assignRole', 'exportList', 'getExport']) {
      expect(needed).toContain(operation);
    }
    expect(needed).not.toContain('listCollaborators');
  });
});

test('without the policy, nothing needs a step-up', async () => {
  for (const [name, attempt] of asked) {
    const { status } = await attempt(old);
    expect([name, status < 300 ? 'succeeds' : status]).toEqual([name, 'succeeds']);
  }
});

describe('with a required second factor', () => {
  beforeAll(() => policy({ require_second_factor: true }));
  afterAll(() => policy({ require_second_factor: false }));

  let limits = 0;
  const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const requireSecondFactorSince = async (days: number) => {
    await app.database.query('update companies set policy = policy || $2 where id = $1', [
      app.company_id,
      JSON.stringify({ second_factor_since: since(days) }),
    ]);
    // Use a different limit each time, because processes are notified only of changes.
    await policy({ session_max_age: Math.round(days * 1_000) + ++limits });
  };

  test('tokens of one factor work for seven days, then end for this company', async () => {
    expect((await old.get(people)).status).toBe(200);
    await requireSecondFactorSince(6.9);
    expect((await (await app.as('admin', { claims: { acr: '1fa' } })).get(people)).status).toBe(200);
    await requireSecondFactorSince(7.1);
    const ended = await (await app.as('admin', { claims: { acr: '1fa' } })).get(people);
    expect([ended.status, ended.body]).toEqual([
      401,
      {
        error: 'insufficient_user_authentication',
        message: 'The company requires a second factor. Sign in again.',
        details: { acr_values: '2fa' },
      },
    ]);
    expect((await (await app.as('admin', { claims: { acr: '2fa' } })).get(people)).status).toBe(200);
    expect((await app.outsider.get(people)).status).toBe(200);
  });

  test('refreshing doesn’t bypass the second factor: the token keeps how the person signed in, even after setup', async () => {
    const client = { id: await addApp(app), secret: knownAppSecret };
    const email = 'mariana.duarte@example.com';
    const scopes = ['profile', 'offline_access', 'collaborators:read'];
    const redirectUri = 'http://127.0.0.1/callback';
    const { db } = app.database;
    await policy({ require_second_factor: false });
    const first = await signIn({ ...app, client, redirect_uri: redirectUri, email, password, scopes });
    await policy({ require_second_factor: true });
    await addFactor(db.global, app.admin.user_id, async (tx) => {
      const added = { user_id: app.admin.user_id, name: 'Phone', secret: newTotpSecret(), step: 0 };
      await addTotp(tx, factorVault(app.config.encryption_keys), added);
      return true;
    });
    await requireSecondFactorSince(7.1);
    const body = { grant_type: 'refresh_token', refresh_token: first.refresh_token! };
    const next = (await (await tokenRequest(app.base_url, client, body)).json()) as Tokens;
    expect(claimsOf(next)).toMatchObject({ acr: '1fa', auth_time: claimsOf(first).auth_time });
    for (const { access_token: accessToken } of [first, next]) {
      const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': app.company_id };
      const response = await fetch(app.base_url + people, { headers });
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
        401,
        'insufficient_user_authentication',
      ]);
    }
    await db.global.transaction().execute((tx) => removeAllFactors(tx, app.admin.user_id));
    await policy({ require_second_factor: false, session_max_age: null });
    await policy({ require_second_factor: true });
  });

  test('the days count from the first time the policy requires it, and aren’t exposed', async () => {
    const stored = async () => {
      const [row] = await app.database.query<{ policy: { second_factor_since?: string } }>(
        'select policy from companies where id = $1',
        [app.company_id],
      );
      return row!.policy.second_factor_since;
    };
    const before = await stored();
    expect(before).toBeTruthy();
    await policy({ require_second_factor: true, session_max_age: 3_600 });
    expect(await stored()).toBe(before);
    await policy({ require_second_factor: false, session_max_age: null });
    expect(await stored()).toBeUndefined();
    await policy({ require_second_factor: true });
    expect(Date.parse((await stored())!)).toBeGreaterThan(Date.now() - 600_000);
    expect((await fresh.get('/v1/company')).body.policy).not.toHaveProperty('second_factor_since');
  });

  test('a recent sign-in must have two factors', async () => {
    await policy({ step_up: true });
    const { body } = await fresh.get(`${people}?fields=salary`);
    expect(body.details).toEqual({ acr_values: '2fa', max_age: 900 });
    const strong = await app.as('admin', { claims: { auth_time: ago(60), acr: '2fa' } });
    expect((await strong.get(`${people}?fields=salary`)).status).toBe(200);
    await policy({ step_up: false });
  });
});
