/**
 * Attacks (RFC 9700, and on pages) that no other file covers. Codes, tokens, and redirects are in authorize, token, and
 * verify; links in invitations and resets; sessions in sign-out.
 */

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import supertest from 'supertest';
import { createApp } from '../../src/api/app.ts';
import { createOAuth } from '../../src/api/pages/oauth.ts';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { changeStatus } from '../../src/product/collaborators/status.ts';
import { addCollaborator } from '../../src/product/collaborators/write/add-collaborator.ts';
import { lockCollaborator } from '../../src/product/collaborators/write/change-collaborator.ts';
import { counted } from '../../src/product/collaborators/write/collaborator-counts.ts';
import { createQuotas } from '../../src/product/companies/quotas.ts';
import { createDirectoryMeter } from '../../src/product/directories/directory-meter.ts';
import { inviteNow } from '../../src/product/invitations/send-invitation.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  signIn,
} from '../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { type OAuthService, oauthService, redirectUri } from './service.ts';

let service: OAuthService;
let mailbox: Mailbox;
let forms: Record<string, () => Promise<{ browser: Browser; page: Page }>>;

beforeAll(async () => {
  service = await oauthService();
  mailbox = await openMailbox(service);
  const { base_url: baseUrl, ana, company_ids: companyIds, mail } = service;
  const tenant = service.database.db.tenant(companyIds[0]);
  const invited = { name: 'Inês Sá', email: 'ines@example.com', position: 'Driver', department: 'Fleet' };
  const { id } = await counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, invited));
  await inviteNow(tenant, { user_id: null, role: null }, id, { mail, base_url: baseUrl });
  const invitation = await mailbox.link(invited.email, 'Verde Logística invited you');
  const resetVisit = await open('/oauth/forgot');
  await resetVisit.browser.submit(resetVisit.page, resetVisit.page.forms[0]!, { email: ana.email });
  const reset = await mailbox.link(ana.email, 'Choose a new password');
  forms = {
    'sign-in': () => open(url()),
    consent: async () => {
      const { browser, page } = await open(url());
      return { browser, page: await browser.submit(page, page.forms[0]!, { ...ana, action: 'login' }) };
    },
    invitation: () => open(invitation),
    forgot: () => open('/oauth/forgot'),
    reset: () => open(reset),
    'sign-out': async () => {
      const browser = createBrowser(baseUrl);
      await signIn({ ...service, ...ana, client: service.native, scopes: ['profile'], browser });
      return { browser, page: await browser.open(`${baseUrl}/oauth/sign-out`) };
    },
  };
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});

const names = ['sign-in', 'consent', 'invitation', 'forgot', 'reset', 'sign-out'];

function url(client: { id: string } = service.native): string {
  const scopes = ['profile'];
  return authorizationUrl({
    ...service,
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  });
}

async function open(path: string) {
  const browser = createBrowser(service.base_url);
  return { browser, page: await browser.open(new URL(path, service.base_url).href) };
}

describe.each(names)('the page %s', (name) => {
  const open = () => forms[name]!();
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  });

  test('can’t be framed, cached, or redirected', async () => {
    const { page } = opened;
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'[^;]*; base-uri 'none'; /,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('cache-control')).toBe('no-store, no-transform');
    const secret = ['invitation', 'reset'].includes(name);
    expect(page.headers.get('referrer-policy')).toBe(secret ? 'no-referrer' : 'same-origin');
    expect(page.html).not.toMatch(/<script|<iframe|https?:\/\/(?!127\.0\.0\.1)/);
    const foreign = [...page.html.matchAll(/(?:href|src|action)="([^"]*)"/g)].filter(
      ([, to]) => !/^(\/oauth\/|\/favicon\.svg$|\?)/.test(to!),
    );
    expect(foreign).toEqual([]);
  });

  test('rejects a form without its token, and from an origin that hides on another site', async () => {
    const { browser, page } = opened;
    const form = page.forms.at(-1)!;
    const email = 'x@example.com';
    for (const refused of [
      await browser.submit(page, { ...form, hidden: { ...form.hidden, csrf_token: '' } }, { email }),
      await browser.submit(page, form, { email }, { origin: 'null', 'sec-fetch-site': 'cross-site' }),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.html).toContain('This form was not accepted');
      expect(refused.headers.get('x-frame-options')).toBe('DENY');
    }
    const accepted = await browser.submit(page, form, { email });
    expect(accepted.html).not.toContain('This form was not accepted');
  });

  test('rejects the form of another browser', async () => {
    const { page } = opened;
    const form = page.forms.at(-1)!;
    const { browser: stranger } =
      name === 'sign-in' || name === 'consent' ? { browser: createBrowser(service.base_url) } : await open();
    const refused = await stranger.submit(page, form, { email: 'x@example.com' });
    expect([400, 403]).toContain(refused.status);
  });

  test('rejects other methods', async () => {
    const response = await fetch(opened.page.url, { method: 'DELETE' });
    expect([404, 405]).toContain(response.status);
  });
});

describe('no page redirects where the request says', () => {
  test.each([
    '/oauth/forgot?interaction=https://evil.example',
    '/oauth/forgot?next=https://evil.example&redirect_uri=https://evil.example',
    '/oauth/sign-out?post_logout_redirect_uri=https://evil.example',
    '//evil.example/oauth/sign-out',
    '/oauth/sign-out//evil.example',
    '/oauth/reset/https://evil.example',
    '/oauth/invitation/%2f%2fevil.example',
    '/oauth/address/%2f%2fevil.example',
  ])('%s', async (path) => {
    const response = await fetch(service.base_url + path, { redirect: 'manual' });
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).not.toContain('href="https://evil');
  });
});

describe('timing doesn’t reveal whether an account exists', () => {
  test.each([
    ['at the sign-in page', 'sign-in', { password: 'not the password', action: 'login' }],
    ['at the page for a forgotten password', 'forgot', {}],
  ])('%s', async (_name, name, values: Record<string, string>) => {
    const emails = [service.ana.email, 'nobody@example.com'];
    const { browser, page } = await forms[name]!();
    const timeOf = async (email: string) => {
      const started = performance.now();
      await browser.submit(page, page.forms[0]!, { email, ...values });
      return performance.now() - started;
    };
    // Other load on the machine affects both sides randomly; a difference caused by the account shows in every round,
    // on the same side.
    const differences: number[] = [];
    for (let round = 0; round < 10; round++) {
      const times: [number[], number[]] = [[], []];
      for (let i = 0; i < 12; i++) {
        const which = (i + (i >> 1)) % 2; // known, unknown, unknown, known: so that neither is always second
        times[which]!.push(await timeOf(emails[which]!));
      }
      const [known, unknown] = times.map(median) as [number, number];
      const difference = (known - unknown) / Math.max(known, unknown);
      differences.push(difference);
      if (Math.abs(difference) < 0.2 || difference * differences[0]! < 0) return;
    }
    throw new Error(`medians differ by these parts in every round: ${differences.join(', ')}`);
  });
});

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

describe('an access token', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());

  test('is rejected after its user is deactivated', async () => {
    const { user_id: userId, company_id: companyId, collaborator_id: collaboratorId } = app.employee;
    await app.employee.get(`/v1/collaborators/${collaboratorId}`).expect(200);
    await counted(app.database.db.tenant(companyId), async (tx) => {
      await changeStatus(
        tx,
        { user_id: app.admin.user_id },
        await lockCollaborator(tx, collaboratorId),
        'inactive',
        null,
      );
    });
    await eventually(() => app.employee.get(`/v1/collaborators/${collaboratorId}`).expect(401));
    const renewed = await app.as('employee', {});
    expect(renewed.user_id).toBe(userId);
    await renewed.get(`/v1/collaborators/${collaboratorId}`).expect(403);
  });

  test('and the secret of a link don’t appear in the request log', async () => {
    const { token, company_id: companyId } = await app.as('admin', {});
    const lines: string[] = [];
    const write = (line: unknown, _encoding: unknown, done: () => void) => {
      lines.push(String(line));
      done();
    };
    const log = pino(new Writable({ write }));
    const { config, base_url: baseUrl, access, database, limiter, watch, audit, store } = app;
    const shared = {
      config,
      base_url: baseUrl,
      db: database.db,
      store,
      mail: createMailQueue(config.encryption_keys),
      limiter,
      quotas: createQuotas(config.quotas),
      watch,
      directoryMeter: createDirectoryMeter(new Registry()),
      audit,
      log,
    };
    const agent = supertest(await createApp({ ...shared, oauth: await createOAuth({ ...shared, access }) }));
    const pages = ['invitation', 'reset', 'Reset', 'reset/more', 'invitation//', 'address'];
    for (const page of pages) await agent.get(`/oauth/${page}/the-secret`);
    await agent.post('/oauth/reset/the-secret?x=the-secret').send('password=the-secret');
    await agent
      .get('/v1/collaborators')
      .set({ authorization: `Bearer ${token}`, 'x-company-id': companyId })
      .expect(200);
    await agent.get(`/v1/collaborators?access_token=${token}`).set('x-company-id', companyId).expect(401);
    await agent.post('/oauth/revoke').type('form').send({ token, client_id: 'test-client' });
    expect(lines.filter((line) => JSON.parse(line).msg === 'request')).toHaveLength(pages.length + 4);
    expect(lines.join('')).not.toContain('the-secret');
    expect(lines.join('')).not.toContain(token);
    expect(JSON.parse(lines[0]!)).toMatchObject({ path: '/oauth/invitation/:token', status: 410 });
  });

  test('doesn’t give access to a company that wasn’t selected', async () => {
    const client = await app.as('admin', { company_ids: [] });
    const response = await client.get(`/v1/collaborators/${app.admin.collaborator_id}`);
    expect(response.status).toBe(403);
    expect(response.body.error).toBe('company_access_denied');
  });
});
