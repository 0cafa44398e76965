/** Back-channel logout: what a company's identity provider can end, and attacks on it. */
import { createHmac, randomUUID } from 'node:crypto';
import { addFactor, factorVault } from '../../../../src/identity/factors/factors.ts';
import { addTotp, newTotpSecret } from '../../../../src/identity/factors/totp.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type IdentityProvider, identityProvider, tokensAfter } from '../../../helpers/identity/identity-provider.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';
import {
  allowPrivate,
  beginSignIn,
  directoryPerson,
  readPeople,
  redirectUri,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from './company-sign-in-people.ts';
import { codeOf } from './factor-people.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
let hostile: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
  hostile = await identityProvider(app, { domains: ['nordwind.example'] }, app.outsider.company_id);
});
afterAll(async () => {
  await app.close();
  await idp.close();
  await hostile.close();
});
beforeEach(() => {
  idp.forgesSignature = false;
});

/** Somebody who has signed in with the provider, in a browser of their own. */
async function signedIn(sub?: string) {
  const person = sub ? { sub } : await directoryPerson(signing);
  idp.person = { sub: person.sub };
  const { tokens, browser } = await tokensBy(signing, idp);
  const token = tokens.access_token;
  expect(await readPeople(signing, token)).toBe(200);
  return { sub: person.sub, sid: idp.sid!, read: () => readPeople(signing, token), tokens, browser };
}
type SignedIn = Awaited<ReturnType<typeof signedIn>>;

const promptsForSignIn = async ({ browser }: Pick<SignedIn, 'browser'>) =>
  (await browser.open(beginSignIn(signing).url)).html.includes('type="password"');

async function refreshes({ tokens }: Pick<SignedIn, 'tokens'>): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: signing.client.id,
    refresh_token: tokens.refresh_token!,
  });
  return (await fetch(`${app.base_url}/oauth/token`, { method: 'POST', body })).status;
}

const nowS = () => Math.floor(Date.now() / 1_000);
const claims = (more: Record<string, unknown>) => ({
  iss: idp.issuer,
  aud: 'verdelog',
  iat: nowS(),
  exp: nowS() + 120,
  jti: randomUUID(),
  events: { [event]: {} },
  ...more,
});
const typ = { typ: 'logout+jwt' };

async function post(token: string, id = idp.connection_id) {
  const body = new URLSearchParams({ logout_token: token });
  const response = await fetch(`${app.base_url}/oauth/connections/${id}/backchannel-logout`, { method: 'POST', body });
  return { status: response.status, text: await response.text(), cache: response.headers.get('cache-control') };
}
const success = { status: 200, text: '', cache: 'no-store' };
const refusal = {
  status: 400,
  text: JSON.stringify({ error: 'invalid_request', error_description: 'the logout token was rejected' }),
  cache: 'no-store',
};

test('a session that ends at the provider ends here, with its tokens, and no other does', async () => {
  const first = await signedIn();
  const second = await signedIn(first.sub);
  const colleague = await signedIn();
  expect(first.sid).not.toBe(second.sid);
  await idp.logOut(first.sub, first.sid);
  await eventually(async () => expect(await first.read()).toBe(401));
  expect(await promptsForSignIn(first)).toBe(true);
  expect(await second.read()).toBe(200);
  expect(await promptsForSignIn(second)).toBe(false);
  expect(await colleague.read()).toBe(200);
  const { data } = (await app.admin.get('/v1/audit?action=sign_in_connection.signed_out').expect(200)).body;
  expect(data).toMatchObject([
    { actor: { type: 'user', name: 'Inês Sá' }, target: { type: 'sign_in_connection', id: idp.connection_id } },
  ]);
  // Signing in again works, in the same browser.
  idp.person = { sub: first.sub };
  const { page } = await throughProvider(signing, idp, { browser: first.browser });
  expect(page.html).toContain('Verde Logística');
});

test('a logout of a person ends all their sessions, tokens, and refresh tokens for the company', async () => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const { tokens, browser } = await tokensBy(signing, idp, ['offline_access', 'collaborators:read'], {
    prompt: 'consent',
  });
  const first = { sub, tokens, browser, read: () => readPeople(signing, tokens.access_token) };
  const second = await signedIn(sub);
  expect(tokens.refresh_token).toEqual(expect.any(String));
  expect(await post(idp.token(claims({ sub }), typ))).toEqual(success);
  for (const each of [first, second]) {
    await eventually(async () => expect(await each.read()).toBe(401));
    expect(await promptsForSignIn(each)).toBe(true);
  }
  expect(await refreshes(first)).toBe(400);
});

test('a session alone is enough, and nothing left to end is no reason to refuse', async () => {
  const { sub, sid, read } = await signedIn();
  expect(await post(idp.token(claims({ sid }), typ))).toEqual(success);
  await eventually(async () => expect(await read()).toBe(401));
  expect(await post(idp.token(claims({ sid }), typ))).toEqual(success);
  expect(await post(idp.token(claims({ sub: 'nobody' })))).toEqual(success);
  expect(await post(idp.token(claims({ sub, sid: 'no session' })))).toEqual(success);
});

test('a session is found that began with the person’s own second factor on top', async () => {
  const { sub } = await signedIn();
  const [link] = await app.database.query<{ user_id: string }>('select user_id from sign_in_links where subject = $1', [
    sub,
  ]);
  const secret = newTotpSecret();
  await addFactor(app.database.db.global, link!.user_id, async (tx) => {
    const added = { user_id: link!.user_id, name: 'Phone', secret, step: 0 };
    await addTotp(tx, factorVault(app.config.encryption_keys), added);
    return true;
  });
  const { url, verifier } = beginSignIn(signing);
  const { browser, page } = await throughProvider(signing, idp, { url });
  const form = page.forms.find((each) => each.has('code'))!;
  const consent = await browser.submit(page, form, { code: codeOf(secret), action: 'prove-code' });
  const { client } = signing;
  const tokens = await tokensAfter(app, browser, consent, { client, redirect_uri: redirectUri, verifier });
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  await idp.logOut(sub, idp.sid!);
  await eventually(async () => expect(await readPeople(signing, tokens.access_token)).toBe(401));
});

describe('refuses, with one and the same response,', () => {
  let victim: SignedIn;
  beforeAll(async () => {
    victim = await signedIn();
  });
  afterEach(async () => {
    expect(await victim.read()).toBe(200);
    expect(await promptsForSignIn(victim)).toBe(false);
  });
  const wrong: Record<string, () => string> = {
    'no token': () => '',
    'a text that is no token': () => 'a.b.c',
    'an unsigned token': () => {
      const parts = [{ alg: 'none' }, claims({ sub: victim.sub })].map((each) =>
        Buffer.from(JSON.stringify(each)).toString('base64url'),
      );
      return `${parts.join('.')}.`;
    },
    'a token signed with the client secret': () => {
      const parts = [{ alg: 'HS256' }, claims({ sub: victim.sub })].map((each) =>
        Buffer.from(JSON.stringify(each)).toString('base64url'),
      );
      const signature = createHmac('sha256', 'a secret of the provider').update(parts.join('.')).digest('base64url');
      return [...parts, signature].join('.');
    },
    'another issuer': () => idp.token(claims({ sub: victim.sub, iss: hostile.issuer })),
    'another audience': () => idp.token(claims({ sub: victim.sub, aud: 'another client' })),
    'no audience': () => idp.token(claims({ sub: victim.sub, aud: undefined })),
    'a token without iat': () => idp.token(claims({ sub: victim.sub, iat: undefined })),
    'a token that is too old': () => idp.token(claims({ sub: victim.sub, iat: nowS() - 3_600, exp: nowS() + 60 })),
    'a token of the future': () => idp.token(claims({ sub: victim.sub, iat: nowS() + 3_600, exp: nowS() + 7_200 })),
    'an expired token': () => idp.token(claims({ sub: victim.sub, exp: nowS() - 120 })),
    'a token without jti': () => idp.token(claims({ sub: victim.sub, jti: undefined })),
    'a nonce': () => idp.token(claims({ sub: victim.sub, nonce: 'n' })),
    'an empty nonce': () => idp.token(claims({ sub: victim.sub, nonce: null })),
    'no events': () => idp.token(claims({ sub: victim.sub, events: undefined })),
    'another event': () => idp.token(claims({ sub: victim.sub, events: { 'https://schemas.example/other': {} } })),
    'an event that is no object': () => idp.token(claims({ sub: victim.sub, events: { [event]: 'yes' } })),
    'a list of events': () => idp.token(claims({ sub: victim.sub, events: [event] })),
    'neither sub nor sid': () => idp.token(claims({})),
    'an empty sub': () => idp.token(claims({ sub: '', sid: victim.sid })),
    'a sub that is no text': () => idp.token(claims({ sub: 7, sid: victim.sid })),
    'a sub that can’t be stored': () => idp.token(claims({ sub: `${victim.sub}\0` })),
    'a sid that is no text': () => idp.token(claims({ sub: victim.sub, sid: 7 })),
    'a token of another type': () => idp.token(claims({ sub: victim.sub }), { typ: 'at+jwt' }),
    'a token of another provider': () => hostile.token(claims({ sub: victim.sub, iss: hostile.issuer })),
    'a token of another provider in the name of this one': () => hostile.token(claims({ sub: victim.sub })),
  };
  test('invalid tokens', async () => {
    for (const [name, token] of Object.entries(wrong)) expect([name, await post(token())]).toEqual([name, refusal]);
  });

  test('a key that the provider doesn’t publish', async () => {
    idp.forgesSignature = true;
    expect(await post(idp.token(claims({ sub: victim.sub })))).toEqual(refusal);
  });

  test('an ID token that the provider really issued', async () => {
    let idToken = '';
    idp.tamper = (payload) => payload;
    idp.person = { sub: victim.sub };
    const original = idp.token.bind(idp);
    idp.token = (payload, header) => {
      idToken = original(payload, header);
      return idToken;
    };
    await throughProvider(signing, idp);
    Object.assign(idp, { tamper: undefined, token: original });
    expect(idToken).not.toBe('');
    expect(await post(idToken)).toEqual(refusal);
  });

  test('a replayed token', async () => {
    const token = idp.token(claims({ sub: 'nobody' }), typ);
    expect(await post(token)).toEqual(success);
    expect(await post(token)).toEqual(refusal);
    const sent = await Promise.all(
      Array.from({ length: 5 }, (_, at) => post(idp.token(claims({ sub: `nobody ${at}`, jti: 'the same' })))),
    );
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('connections that don’t exist, are drafts, or use SAML', async () => {
    const draft = await addSignInConnection(app, { issuer: idp.issuer, client_id: 'verdelog' });
    const saml = { kind: 'saml' as const, issuer: idp.issuer, sso_url: 'https://idp.example/sso', certificates: ['-'] };
    const ids = [draft, await addSignInConnection(app, { ...saml, status: 'enabled' }), randomUUID(), 'x'];
    for (const id of ids) expect(await post(idp.token(claims({ sub: victim.sub })), id)).toEqual(refusal);
    const response = await fetch(`${app.base_url}/oauth/connections/${idp.connection_id}/backchannel-logout`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('forms that can’t be read', async () => {
    const url = `${app.base_url}/oauth/connections/${idp.connection_id}/backchannel-logout`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['logout_token=%ff', `logout_token=${'x'.repeat(200_000)}`, 'logout_token=a&logout_token=b']) {
      const response = await fetch(url, { method: 'POST', headers, body });
      expect([response.status, await response.text()]).toEqual([400, refusal.text]);
    }
  });

  test('a hostile provider’s token for a person of another company, and one person’s for another’s session', async () => {
    const { sub, sid } = victim;
    const hostileToken = (more: Record<string, unknown>) => hostile.token(claims({ iss: hostile.issuer, ...more }));
    for (const aim of [{ sub }, { sid }, { sub, sid }]) {
      expect(await post(hostileToken(aim), hostile.connection_id)).toEqual(success);
      expect(await post(hostileToken(aim), idp.connection_id)).toEqual(refusal);
      expect(await post(idp.token(claims(aim)), hostile.connection_id)).toEqual(refusal);
    }
    const other = await signedIn();
    expect(await post(idp.token(claims({ sub: other.sub, sid })))).toEqual(success);
    expect(await other.read()).toBe(200);
  });
});

test('limits requests of one address', async () => {
  const send = () => post(idp.token(claims({ sub: 'nobody' })));
  expect(await send()).toEqual(success);
  await app.database.query("update rate_limits set points = 100000 where key like 'logout%'");
  expect(await send()).toMatchObject({ status: 429, text: expect.stringContaining('rate_limited') });
  await app.database.query("delete from rate_limits where key like 'logout%'");
});
