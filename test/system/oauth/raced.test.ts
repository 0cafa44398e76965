/** Races of apps, connections, and sign-ins: revocation always wins. */
import { signOutDevice } from '../../../src/identity/devices/devices.ts';
import type { revokeUserGrants } from '../../../src/identity/grants/grants.ts';
import { revokeAllAccess } from '../../../src/identity/grants/revoke-access.ts';
import { hashPassword } from '../../../src/identity/passwords/passwords.ts';
import { setPassword } from '../../../src/identity/passwords/set-password.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { removeApp } from '../../../src/product/apps/remove-app.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { lockWaiters } from '../../helpers/database/lock-waiters.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  authorizationUrl,
  createBrowser,
  newVerifier,
  type Page,
  signIn,
  type Tokens,
  tokenRequest,
} from '../../helpers/identity/oauth.ts';
import { addApp, knownAppSecret } from '../../helpers/resources/apps.ts';

const redirectUri = 'http://127.0.0.1/callback';
const password = 'correct horse battery staple';
const email = 'mariana.duarte@example.com';
const scopes = ['profile', 'offline_access', 'connections:manage'];

let app: TestApp;
let client: { id: string; secret: string };
beforeAll(async () => {
  app = await testApp({ TOKEN_REQUESTS_PER_MIN: '10000', TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: '10000' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.query('update oauth_clients set revoked_at = now() where company_id is not null');
  client = { id: await addApp(app), secret: knownAppSecret };
});

const signedIn = () => signIn({ ...app, client, redirect_uri: redirectUri, email, password, scopes });
const many = <T>(work: (n: number) => PromiseLike<T>, times = 6) =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));

async function refresh({ refresh_token: refreshToken }: Tokens, secret = client.secret): Promise<Tokens | undefined> {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
  const response = await tokenRequest(app.base_url, { id: client.id, secret }, body);
  return response.ok ? ((await response.json()) as Tokens) : undefined;
}

async function statusOf({ access_token: accessToken }: Tokens): Promise<number> {
  const response = await fetch(`${app.base_url}/auth/user`, { headers: { authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Expects that none of these tokens works anymore, nor what they refresh to. */
async function expectEnded(tokens: (Tokens | undefined)[]): Promise<void> {
  const issued = tokens.filter((each) => each !== undefined);
  await eventually(async () => expect(await Promise.all(issued.map(statusOf))).toEqual(issued.map(() => 401)));
  expect(await Promise.all(issued.map((each) => refresh(each)))).toEqual(issued.map(() => undefined));
}

/** Goes through the flow up to consent, and returns a function that submits it. */
async function openConsent() {
  const verifier = newVerifier();
  const browser = createBrowser(app.base_url);
  const url = authorizationUrl({ ...app, client_id: client.id, redirect_uri: redirectUri, scopes, verifier });
  const login = await browser.open(url);
  const page = await browser.submit(login, login.forms[0]!, { email, password, action: 'login' });
  return {
    allow: () => browser.submit(page, page.forms.at(-1)!, { action: 'allow', company: app.company_id }),
    exchange: async ({ location }: Page) => {
      const body = {
        grant_type: 'authorization_code',
        code: location!.searchParams.get('code')!,
        redirect_uri: redirectUri,
      };
      return tokenRequest(app.base_url, client, { ...body, code_verifier: verifier });
    },
  };
}

test('of 25 apps registered at the same time, a company gets 20', async () => {
  const create = (n: number) =>
    app.admin.post('/v1/apps', { name: `App ${n}`, kind: 'confidential', redirect_uris: [redirectUri] });
  const statuses = (await many(create, 25)).map(({ status }) => status);
  // The app of this test already exists.
  expect(statuses.toSorted()).toEqual([...Array(19).fill(201), ...Array(6).fill(409)]);
});

test('of secrets rotated immediately at the same time, one is valid, and no earlier one', async () => {
  const tokens = await signedIn();
  const rotate = () => app.admin.post(`/v1/apps/${client.id}/rotate-secret`, { immediately: true });
  const [rotated, raced] = await Promise.all([many(rotate), many(() => refresh(tokens))]);
  expect(rotated.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const secrets = [client.secret, ...rotated.map(({ body }) => body.client_secret as string)];
  const newest = raced.find((each) => each !== undefined) ?? tokens;
  const accepted = [];
  for (const secret of secrets) if (await refresh(newest, secret)) accepted.push(secret);
  expect(accepted).toHaveLength(1);
  expect(accepted).not.toContain(client.secret);
});

test('a connection revoked during a refresh stays revoked', async () => {
  const tokens = await signedIn();
  const [{ id }] = (await app.admin.get(`/v1/connections?client_id=${client.id}`).expect(200)).body.data;
  const [raced, { status }] = await Promise.all([
    many(() => refresh(tokens)),
    app.admin.delete(`/v1/connections/${id}`),
  ]);
  expect(status).toBe(200);
  await expectEnded([tokens, ...raced]);
});

test('an app deleted while in use stops working', async () => {
  const tokens = await signedIn();
  const { allow, exchange } = await openConsent();
  const allowed = await allow();
  const [raced, exchanged] = await Promise.all([
    many(() => refresh(tokens)),
    exchange(allowed),
    app.admin.delete(`/v1/apps/${client.id}`).expect(200),
  ]);
  const late = exchanged.ok ? ((await exchanged.json()) as Tokens) : undefined;
  await expectEnded([tokens, late, ...raced]);
});

test('and so does one that is approved during its deletion', async () => {
  const { allow, exchange } = await openConsent();
  let late: Tokens | undefined;
  await app.database.db.tenant(app.company_id).transaction(async (tx) => {
    await removeApp(tx, client.id, app.admin.user_id);
    const response = await exchange(await allow());
    expect(response.status).toBe(200);
    late = (await response.json()) as Tokens;
    expect(await statusOf(late)).toBe(200);
  });
  await expectEnded([late]);
});

test.each([
  ['signed out everywhere', (tx: Tx) => revokeAllAccess(tx, app.config.encryption_keys, app.admin.user_id)],
  [
    'signed out of their device',
    async (tx: Tx) => {
      const [device] = await app.database.query<{ id: string }>(
        'select id from user_devices where user_id = $1 order by created_at desc limit 1',
        [app.admin.user_id],
      );
      await signOutDevice(tx, app.config.encryption_keys, app.admin.user_id, device!.id);
    },
  ],
  [
    'given another password',
    async (tx: Tx) => {
      const mail = createMailQueue(app.config.encryption_keys);
      await setPassword(tx, mail, app.admin.user_id, await hashPassword(password), 'en', {
        actor: { type: 'operator' },
      });
    },
  ],
])('consent given while its person is %s has no effect', async (_name, end) => {
  const { allow } = await openConsent();
  let response: Promise<Page> | undefined;
  await app.database.db.global.transaction().execute(async (tx) => {
    await end(tx);
    response = allow();
    await eventually(async () => expect(await lockWaiters(app.database)).toBeGreaterThan(0));
  });
  const page = await response!;
  expect([page.status, page.location]).toEqual([expect.any(Number), undefined]);
  const standing = await app.database.query(
    'select id from oauth_grants where user_id = $1 and client_id = $2 and revoked_at is null',
    [app.admin.user_id, client.id],
  );
  expect(standing).toEqual([]);
});

type Tx = Parameters<typeof revokeUserGrants>[0];
