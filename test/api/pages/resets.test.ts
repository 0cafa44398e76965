/** Forgotten passwords: requesting a link, choosing a new password, and what it revokes. */
import { resetPassword } from '../../../src/identity/passwords/set-password.ts';
import { backdated } from '../../helpers/database/backdated.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  signIn,
  tokenRequest,
} from '../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../identity/mailbox.ts';
import { type OAuthService, oauthService, otherProcess, redirectUri } from '../../identity/service.ts';

const choose = 'Choose a new password';
const changed = 'Your password was changed';
const scopes = ['profile', 'offline_access'];

let service: OAuthService;
let mailbox: Mailbox;

beforeAll(async () => {
  service = await oauthService({ TRUST_PROXY: 'loopback' });
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});
beforeEach(() => service.database.query('delete from password_resets'));

async function requestReset(
  email: string,
  browser = createBrowser(service.base_url),
  path = '/oauth/forgot',
): Promise<Page> {
  const page = await browser.open(service.base_url + path);
  return browser.submit(page, page.forms[0]!, { email });
}

async function requestResetFrom(
  address: string,
  email: string,
  browser = createBrowser(service.base_url),
): Promise<Page> {
  const page = await browser.open(`${service.base_url}/oauth/forgot`);
  return browser.submit(page, page.forms[0]!, { email }, { 'x-forwarded-for': address });
}

async function newLink(email = service.ana.email): Promise<string> {
  await requestReset(email);
  return mailbox.link(email, choose);
}

async function reset(link: string, password: string, browser = createBrowser(service.base_url)): Promise<Page> {
  const page = await browser.open(link);
  return browser.submit(page, page.forms[0]!, { password, password_again: password });
}

function url(client = service.native): string {
  return authorizationUrl({
    ...service,
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  });
}

function login(browser: Browser, page: Page, password: string): Promise<Page> {
  return browser.submit(page, page.forms.at(-1)!, { email: service.ana.email, password, action: 'login' });
}

/** Restores the old password afterwards. */
async function withPassword(password: string, work: () => Promise<void>): Promise<void> {
  await work();
  await resetPassword(service.database.db, service.mail, service.ana.email, service.ana.password);
  expect(password).not.toBe(service.ana.password);
}

describe('requesting a link', () => {
  test('shows the same page whether the account exists or not', async () => {
    const known = await requestReset(service.ana.email);
    const unknown = await requestReset('nobody@example.com');
    expect([known.status, unknown.status]).toEqual([200, 200]);
    const without = (page: Page, email: string) => page.html.replaceAll(email, '…');
    expect(without(unknown, 'nobody@example.com')).toBe(without(known, service.ana.email));
    await expect(mailbox.subjects('nobody@example.com')).resolves.toEqual([]);
    await expect(mailbox.link(service.ana.email, choose)).resolves.toMatch(/\/oauth\/reset\/[\w-]{43}$/);
  });

  test('emails the account’s address, however it was typed', async () => {
    const count = async () => (await mailbox.subjects('ana@example.com')).filter((each) => each === choose).length;
    const before = await count();
    await requestReset(' ANA@Example.COM ');
    expect(await count()).toBe(before + 1);
  });

  test.each(['', 'ana', `${'x'.repeat(330)}@example.com`])('requires an email: %s', async (email) => {
    const page = await requestReset(email);
    expect(page.status).toBe(400);
    expect(page.html).toContain('Type the whole address.');
  });

  test('sends at most one email a minute and five a day, three of them per network', async () => {
    const email = 'mariana@example.com';
    const older = (minutes: number) =>
      service.database.query(`update password_resets set ${backdated('created_at', "$1 * interval '1 minute'")}`, [
        minutes,
      ]);
    const count = async () => (await mailbox.subjects(email)).length;
    for (let i = 1; i <= 5; i++) {
      const address = i <= 3 ? '203.0.113.1' : `203.0.113.${i}`;
      await requestResetFrom(address, email);
      await requestResetFrom(address, email);
      expect(await count()).toBe(i);
      await older(2);
      if (i === 3) await requestResetFrom(address, email);
      if (i === 3) expect(await count()).toBe(3);
    }
    await requestResetFrom('203.0.113.9', email);
    expect(await count()).toBe(5);
    await older(24 * 60);
    await requestResetFrom('203.0.113.1', email);
    expect(await count()).toBe(6);
  });

  test('from a known device isn’t affected by strangers’ requests', async () => {
    const { ana } = service;
    const browser = createBrowser(service.base_url);
    await signIn({ ...service, ...ana, client: service.native, scopes: ['profile'], browser });
    const count = async () => (await mailbox.subjects(ana.email)).filter((each) => each === choose).length;
    const before = await count();
    await service.database.query('delete from password_resets');
    for (let i = 0; i < 6; i++) {
      await requestResetFrom(`203.0.113.${i}`, ana.email);
      await count();
      await service.database.query(`update password_resets set ${backdated('created_at', "interval '2 minutes'")}`);
    }
    expect(await count()).toBe(before + 5);
    for (let i = 1; i <= 6; i++) {
      await requestResetFrom('203.0.113.1', ana.email, browser);
      expect(await count()).toBe(before + 5 + Math.min(i, 5));
      await service.database.query(`update password_resets set ${backdated('created_at', "interval '2 minutes'")}`);
    }
    await service.database.query('delete from password_resets');
  });

  test('leaves no secret in queue or table', async () => {
    await service.database.query('create table seen as select * from graphile_worker._private_jobs with no data');
    await service.database.query(`create function keep() returns trigger language plpgsql security definer as
      $$ begin insert into seen select new.*; return new; end $$`);
    await service.database.query(
      'create trigger keep before insert on graphile_worker._private_jobs for each row execute function keep()',
    );
    const link = await newLink();
    const jobs = JSON.stringify(await service.database.query('select payload from seen'));
    expect(jobs.match(/sealed/g)).toHaveLength(2);
    expect(jobs).not.toContain('ana@');
    const secret = link.split('/').at(-1)!;
    expect(jobs).not.toContain(secret);
    const rows = await service.database.query('select password_resets::text as row from password_resets');
    expect(rows).toHaveLength(1);
    for (const form of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ]) {
      expect(JSON.stringify(rows)).not.toContain(form);
    }
    await service.database.query('drop trigger keep on graphile_worker._private_jobs');
  });
});

describe('a link', () => {
  test('sets a new password once, and notifies the person by email', async () => {
    const password = 'the lamp beside the window';
    await withPassword(password, async () => {
      const link = await newLink();
      for (let i = 0; i < 2; i++) {
        const page = await createBrowser(service.base_url).open(link);
        expect(page.status).toBe(200);
        expect(page.forms[0]!.value('email')).toBe(service.ana.email);
      }
      const done = await reset(link, password);
      expect(done.status).toBe(200);
      expect(done.html).toContain(changed);
      expect(done.html).toMatch(/href="\/console"[^>]*>Open the console/);
      expect((await mailbox.subjects(service.ana.email)).at(-1)).toBe(changed);
      const expiredPage = await createBrowser(service.base_url).open(link);
      expect(expiredPage.status).toBe(410);
      expect(expiredPage.html).toContain('This link no longer works');
      expect(expiredPage.html).not.toContain('ana@');

      const browser = createBrowser(service.base_url);
      const refused = await login(browser, await browser.open(url()), service.ana.password);
      expect(refused.status).toBe(401);
      expect((await login(browser, refused, password)).html).toContain('to act for you?');
    });
  });

  test('works once for concurrent requests', async () => {
    const link = await newLink();
    const browser = createBrowser(service.base_url);
    const page = await browser.open(link);
    const responses = await Promise.all(
      Array.from({ length: 2 }, (_, i) => {
        const password = `four boats upon the lake ${i}`;
        return browser.submit(page, page.forms[0]!, { password, password_again: password });
      }),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410]);
    await resetPassword(service.database.db, service.mail, service.ana.email, service.ana.password);
  });

  test('is invalidated with the person’s other links', async () => {
    const first = await newLink();
    await service.database.query(`update password_resets set ${backdated('created_at', "interval '2 minutes'")}`);
    const second = await newLink();
    expect(second).not.toBe(first);
    await withPassword('seven stones in a circle', async () => {
      expect((await reset(second, 'seven stones in a circle')).status).toBe(200);
      expect((await createBrowser(service.base_url).open(first)).status).toBe(410);
    });
  });

  test.each([
    [
      'after half an hour',
      () => service.database.query(`update password_resets set ${backdated('expires_at', "interval '30 minutes'")}`),
    ],
    [
      'after a change of the password',
      () => resetPassword(service.database.db, service.mail, service.ana.email, service.ana.password),
    ],
  ])('is invalid %s', async (_name, invalidate) => {
    const link = await newLink();
    const browser = createBrowser(service.base_url);
    const page = await browser.open(link);
    await service.database.query(`update password_resets set ${backdated('expires_at', "interval '29 minutes'")}`);
    expect((await browser.open(link)).status).toBe(200);
    await service.database.query(`update password_resets set expires_at = expires_at + interval '29 minutes'`);
    await invalidate();
    expect((await browser.open(link)).status).toBe(410);
    const password = 'the lamp beside the window';
    const refused = await browser.submit(page, page.forms[0]!, { password, password_again: password });
    expect(refused.status).toBe(410);
  });

  test.each(['nonsense', '%00', 'x'.repeat(43)])('is invalid if forged: %s', async (token) => {
    expect((await createBrowser(service.base_url).open(`${service.base_url}/oauth/reset/${token}`)).status).toBe(410);
  });

  test('rejects a weak password, and can be used again', async () => {
    const link = await newLink();
    for (const weak of ['short', 'Ana Lima Nordwind 1']) {
      const refused = await reset(link, weak);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain('role="alert"');
    }
    expect((await createBrowser(service.base_url).open(link)).status).toBe(200);
  });
});

describe('a new password', () => {
  test('revokes all sessions, grants, and tokens within a second on every process', async () => {
    const other = await otherProcess(service);
    const password = 'a train through the mountains';
    await withPassword(password, async () => {
      const browser = createBrowser(service.base_url);
      const options = { ...service, ...service.ana, scopes };
      const native = await signIn({ ...options, client: service.native });
      const confidential = await signIn({ ...options, client: service.confidential, browser });
      for (const verify of [service.verify, other.verify]) await verify(native.access_token);
      const waiting = await browser.open(url());
      expect(waiting.html).toContain('to act for you?'); // the browser is signed in and shows the consent page
      const unused = await codeFor(browser);

      await reset(await newLink(), password);
      for (const verify of [service.verify, other.verify]) {
        for (const { access_token: accessToken } of [native, confidential]) {
          const refused = () => expect(verify(accessToken)).rejects.toMatchObject({ code: 'invalid_token' });
          await eventually(refused);
        }
      }
      const { refresh_token: refreshToken } = native;
      const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
      const refreshed = await tokenRequest(service.base_url, service.native, body);
      await expect(refreshed.json()).resolves.toMatchObject({ error: 'invalid_grant' });
      const exchanged = await tokenRequest(service.base_url, service.native, unused);
      await expect(exchanged.json()).resolves.toMatchObject({ error: 'invalid_grant' });

      const late = await browser.submit(waiting, waiting.forms.at(-1)!, {
        action: 'allow',
        company: service.company_ids,
      });
      expect(late.status).toBe(400);
      expect(late.html).toContain('This page has expired');
      expect((await browser.open(url())).html).toContain('<h1>Sign in</h1>');
    });
  });

  test('doesn’t affect other people', async () => {
    const { access_token: accessToken } = await signIn({
      ...service,
      ...service.ana,
      email: 'mariana@example.com',
      client: service.native,
      scopes,
    });
    await withPassword('a kite above the harbour', async () => {
      await resetPassword(service.database.db, service.mail, service.ana.email, 'a kite above the harbour');
      await expect(service.verify(accessToken)).resolves.toMatchObject({ scopes });
    });
  });

  test('can be set by the operator under the same rules', async () => {
    const { db } = service.database;
    await expect(resetPassword(db, service.mail, 'nobody@example.com', 'irrelevant here')).resolves.toBe(false);
    const weak = resetPassword(db, service.mail, service.ana.email, 'short');
    await expect(weak).rejects.toThrow('at least 15 characters');
    await expect(resetPassword(db, service.mail, 'ANA@example.com', service.ana.password)).resolves.toBe(true);
  });

  test('continues an interrupted sign-in', async () => {
    const password = 'three cups upon the table';
    await withPassword(password, async () => {
      const browser = createBrowser(service.base_url);
      const page = await browser.open(url());
      const [, forgot] = /href="(\/oauth\/forgot[^"]*)"/.exec(page.html)!;
      await requestReset(service.ana.email, browser, forgot);
      const back = await reset(await mailbox.link(service.ana.email, choose), password, browser);
      expect(back.html).toContain('<h1>Sign in</h1>');
      expect(back.html).toContain('Your password was changed. Sign in with the new one.');
      expect((await login(browser, back, password)).html).toContain('to act for you?');
    });
  });

  test.each(['https://evil.example', '//evil.example', 'x'.repeat(43), '../../v1'])(
    'redirects nowhere else: %s',
    async (interaction) => {
      const password = 'nine bells across the valley';
      await withPassword(password, async () => {
        const browser = createBrowser(service.base_url);
        await requestReset(service.ana.email, browser, `/oauth/forgot?interaction=${encodeURIComponent(interaction)}`);
        const done = await reset(await mailbox.link(service.ana.email, choose), password, browser);
        expect(done.location).toBeUndefined();
        expect(done.html).toContain(changed);
      });
    },
  );
});

/** An unexchanged authorization code, as the body of a token request. */
async function codeFor(browser: Browser): Promise<Record<string, string>> {
  const codeVerifier = newVerifier();
  const page = await browser.open(
    authorizationUrl({
      ...service,
      client_id: service.native.id,
      redirect_uri: redirectUri,
      scopes,
      verifier: codeVerifier,
    }),
  );
  const company = service.company_ids;
  const { location } = await browser.submit(page, page.forms.at(-1)!, { action: 'allow', company });
  return {
    grant_type: 'authorization_code',
    code: location!.searchParams.get('code')!,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
}
