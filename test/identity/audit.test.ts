/** Actions at the authorization server are recorded in the audit logs of the companies concerned. */

import { revokeAccess } from '../../src/identity/grants/revoke-access.ts';
import { resetPassword } from '../../src/identity/passwords/set-password.ts';
import { newSecret, secretHash } from '../../src/platform/secrets/secrets.ts';
import { invitationToken } from '../../src/product/collaborators/membership/invitations.ts';
import { changeStatus } from '../../src/product/collaborators/status.ts';
import { addCollaborator } from '../../src/product/collaborators/write/add-collaborator.ts';
import { lockCollaborator } from '../../src/product/collaborators/write/change-collaborator.ts';
import { counted } from '../../src/product/collaborators/write/collaborator-counts.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { acceptInvitation } from '../../src/product/invitations/accept-invitation.ts';
import { inviteNow } from '../../src/product/invitations/send-invitation.ts';
import { authorizationUrl, createBrowser, newVerifier, signIn, tokenRequest } from '../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { type OAuthService, oauthService, redirectUri } from './service.ts';

let service: OAuthService;
let mailbox: Mailbox;
beforeAll(async () => {
  service = await oauthService();
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});
beforeEach(() => service.database.query('delete from audit_log'));

interface Row {
  company_id: string;
  action: string;
  actor_type: string;
  actor_id: string | null;
  client_id: string | null;
  ip: string | null;
  target_id: string | null;
  outcome: string;
  details: Record<string, unknown> | null;
}

async function entries(): Promise<Row[]> {
  await service.audit.flush();
  await mailbox.done();
  return service.database.query<Row & Record<string, unknown>>(
    `select company_id, action, actor_type, actor_id, client_id, host(ip) as ip, target_id, outcome, details
     from audit_log order by company_id, id`,
  );
}

const signInOptions = () => ({
  base_url: service.base_url,
  redirect_uri: redirectUri,
  ...service.ana,
  scopes: ['profile', 'offline_access'],
});

test('a sign-in and its grant are recorded for the selected companies only', async () => {
  const [first, second] = service.company_ids;
  const client = service.confidential;
  const tokens = await signIn({ ...signInOptions(), client, companies: [second] });
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! };
  const refreshed = await tokenRequest(service.base_url, client, refresh);
  const { refresh_token: refreshToken } = (await refreshed.json()) as { refresh_token: string };
  const body = new URLSearchParams({ token: refreshToken });
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  await fetch(`${service.base_url}/oauth/revoke`, { method: 'POST', headers: { authorization }, body });

  const found = await entries();
  const of = (companyId: string) => found.filter((row) => row.company_id === companyId);
  expect(of(first)).toEqual([]);
  expect(of(second).map(({ action }) => action)).toEqual([
    'consent.given',
    'sign_in',
    'token.issued',
    'token.issued',
    'grant.revoked',
  ]);
  for (const row of found) {
    expect(row).toMatchObject({
      actor_id: service.ana.user_id,
      client_id: client.id,
      ip: '127.0.0.1',
      outcome: 'succeeded',
    });
  }
  const [consent, signedIn, byCode, byRefresh, revoked] = of(second);
  expect(signedIn).toMatchObject({ target_id: service.ana.user_id });
  expect(consent).toMatchObject({ target_id: client.id, details: { scopes: ['profile', 'offline_access'] } });
  expect(byCode!.details).toMatchObject({ grant_type: 'authorization_code' });
  expect(byRefresh!.details).toMatchObject({ grant_type: expect.stringContaining('refresh_token') });
  expect(revoked!.details).toEqual({ grant_id: consent!.details!.grant_id });
  for (const secret of [tokens.access_token, tokens.refresh_token!, refreshToken, service.ana.password]) {
    expect(JSON.stringify(found)).not.toContain(secret);
  }
});

test('a wrong password is recorded for no company', async () => {
  for (const email of [service.ana.email, 'nobody@example.com']) {
    const browser = createBrowser(service.base_url);
    const options = {
      base_url: service.base_url,
      client_id: service.native.id,
      redirect_uri: redirectUri,
      scopes: ['profile'],
    };
    const page = await browser.open(authorizationUrl({ ...options, verifier: newVerifier() }));
    const retry = await browser.submit(page, page.forms.at(-1)!, { email, password: 'not the one', action: 'login' });
    expect(retry.status).toBe(401);
  }
  expect(await entries()).toEqual([]);
});

test('a sign-in with denied consent is recorded for no company', async () => {
  const browser = createBrowser(service.base_url);
  const options = {
    base_url: service.base_url,
    client_id: service.native.id,
    redirect_uri: redirectUri,
    scopes: ['profile'],
  };
  const page = await browser.open(authorizationUrl({ ...options, verifier: newVerifier() }));
  const consent = await browser.submit(page, page.forms.at(-1)!, { ...service.ana, action: 'login' });
  const back = await browser.submit(consent, consent.forms.at(-1)!, { action: 'deny' });
  expect(back.location?.searchParams.get('error')).toBe('access_denied');
  expect(await entries()).toEqual([]);
});

test('continuing in a signed-in browser isn’t a sign-in', async () => {
  const [first] = service.company_ids;
  const client = service.confidential;
  const scopes = ['collaborators:read'];
  const browser = createBrowser(service.base_url);
  await signIn({ ...signInOptions(), client, scopes, companies: [first], browser });
  await service.database.query('delete from audit_log');
  await signIn({ ...signInOptions(), client, scopes, browser });
  expect((await entries()).map(({ company_id: companyId, action }) => [companyId, action])).toEqual([
    [first, 'token.issued'],
  ]);
});

test('signing out is recorded for the companies that the sign-ins gave access to', async () => {
  const [, second] = service.company_ids;
  const browser = createBrowser(service.base_url);
  await signIn({ ...signInOptions(), client: service.native, companies: [second], browser });
  await service.database.query('delete from audit_log');
  const page = await browser.open(`${service.base_url}/oauth/sign-out`);
  await browser.submit(page, page.forms.at(-1)!, {});
  const found = await entries();
  expect(found.map(({ company_id: companyId, action, actor_id: actorId }) => [companyId, action, actorId])).toEqual([
    [second, 'sign_out', service.ana.user_id],
  ]);
});

describe('a company that a person never agreed to join, or has left', () => {
  test('sees none of their sign-ins or password changes', async () => {
    const { database, ana, mail } = service;
    const [first, second] = service.company_ids;
    const { company, admin } = await createCompany(database.db, 'Curious Ltd', {
      name: 'Eve',
      email: 'eve@example.com',
      position: 'Spy',
      department: 'Ops',
      password: ana.password,
    });
    const tenant = database.db.tenant(company.id);
    const record = { name: 'Somebody', email: ana.email.toUpperCase(), position: 'x', department: 'y' };
    await counted(tenant, async (tx) => {
      const { id } = await addCollaborator(tx, admin, record);
      await changeStatus(tx, admin, await lockCollaborator(tx, id), 'active', null);
    });
    await database.query("update collaborators set status = 'inactive' where company_id = $1 and user_id = $2", [
      first,
      ana.user_id,
    ]);
    await database.query('delete from audit_log');
    await signIn({ ...signInOptions(), client: service.native });
    await resetPassword(database.db, mail, ana.email, ana.password);
    const companies = new Set((await entries()).map(({ company_id: companyId }) => companyId));
    expect([...companies]).toEqual([second]);
    await database.query("update collaborators set status = 'active' where company_id = $1", [first]);
  });
});

test('records the operator’s actions on an account', async () => {
  const { database, config, mail, ana } = service;
  await resetPassword(database.db, mail, ana.email, ana.password);
  await revokeAccess(database.db, config.encryption_keys, ana.user_id, { actor: { type: 'operator' } });
  const found = await entries();
  expect(found.map(({ action, actor_type: actorType, target_id: targetId }) => [action, actorType, targetId])).toEqual(
    [1, 2].flatMap(() => [
      ['password.changed', 'operator', ana.user_id],
      ['access.revoked', 'operator', ana.user_id],
    ]),
  );
});

test('records an accepted invitation in the same transaction, and a failed attempt not at all', async () => {
  const { db, query } = service.database;
  const [companyId] = service.company_ids;
  const tenant = db.tenant(companyId);
  const fields = { name: 'Inês Sá', email: 'ines@example.com', position: 'Driver', department: 'Fleet' };
  const { id } = await counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, fields));
  await inviteNow(tenant, { user_id: null, role: null }, id, service);
  const secret = newSecret();
  await query('update invitations set token_hash = $1 where collaborator_id = $2', [secretHash(secret), id]);
  const token = invitationToken(companyId, secret);
  const origin = { ip: '2001:db8::7', user_agent: 'Firefox', request_id: null };
  expect(await acceptInvitation(db, token, { user_id: service.ana.user_id }, origin)).toBe('account_changed');
  expect(await entries()).toEqual([]);
  expect(await acceptInvitation(db, token, { password_hash: 'x' }, origin)).toBe('accepted');
  const accepted = {
    company_id: companyId,
    action: 'invitation.accepted',
    actor_type: 'user',
    ip: '2001:db8::7',
    target_id: id,
  };
  expect(await entries()).toMatchObject([accepted]);
  const [versions] = await query(
    `select (select xmin::text from audit_log) = (select xmin::text from memberships where collaborator_id = $1) as same`,
    [id],
  );
  expect(versions).toEqual({ same: true });
});
