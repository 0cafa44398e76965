/** Chapters: a company's own app, the access a user grants it, and an installation that outlives its installer. */
import { Secret, TOTP } from 'otpauth';
import { authorizationRequest, discover } from '../../packages/cli/src/account/oauth.ts';
import { accounts } from '../run/demo/demo-company.ts';
import { walkPages } from '../run/sign-in.ts';
import { mailedLink } from './outbox.ts';
import { expect, type Step, type Trip } from './story.ts';
import { untilTrue } from './until-true.ts';

const redirectUri = 'http://127.0.0.1/callback';
const scopes = ['profile', 'collaborators:read', 'collaborators:write', 'offline_access'];

export const apps: Step[] = [
  {
    title: 'The admin registers an app of the company: no operator is needed',
    async run(trip) {
      const body = { name: 'Shift planner', kind: 'confidential', redirect_uris: [redirectUri], scopes };
      const { body: app } = await trip.request('POST', '/v1/apps', { ...asAdmin(trip), body, status: 201 });
      Object.assign(trip.app, { client_id: app.client_id, client_secret: app.client_secret });
      trip.print(
        `  client_id ${app.client_id}, and a secret that is shown this once: ${app.client_secret.slice(0, 12)}…`,
      );
      const { body: refetched } = await trip.request('GET', `/v1/apps/${app.id}`, { ...asAdmin(trip), status: 200 });
      expect('whether the secret is shown again', 'client_secret' in refetched, false);
    },
  },
  {
    title: 'She allows it to act for her; she sees that as a connection, and ends it: the app is refused at once',
    async run(trip) {
      const { company_id: companyId } = trip;
      const { access_token: token } = await allow(trip, accounts.admin);
      await trip.request('GET', '/v1/collaborators?per_page=1', { token, company_id: companyId, status: 200 });
      const list = `/v1/connections?client_id=${trip.app.client_id}`;
      const { body } = await trip.request('GET', list, { ...asAdmin(trip), status: 200 });
      const [connection] = body.data;
      trip.print(`  ${connection.app.name}, allowed by ${connection.allowed_by.name}: ${connection.scopes.join(' ')}`);
      await trip.request('DELETE', `/v1/connections/${connection.id}`, { ...asAdmin(trip), status: 200 });
      trip.print(`  refused after ${await msUntilRefused(trip, token)} ms`);
    },
  },
  {
    title: 'The new person, an admin for now, sets up a second factor, because the app asks for two, and installs it',
    async run(trip) {
      const { company_id: companyId, guest } = trip;
      const options = { ...asAdmin(trip), body: { role: 'admin' }, status: 200 };
      await trip.request('POST', `/v1/collaborators/${guest.id}/role`, options);
      const { access_token: token } = await allow(trip, guest.email, { installation: 'true', acr_values: '2fa' });
      const { body } = await trip.request('GET', '/auth/user', { token, status: 200 });
      expect('what kind of caller it is', body.kind, 'installation');
      expect('where', body.companies[0].id, companyId);
      trip.app.installation = { id: body.id, token };
      trip.print(`  ${body.name} acts for ${body.companies[0].name} by itself, as ${body.companies[0].role}`);
    },
  },
];

export const installerGone: Step[] = [
  {
    title: 'The app that they installed is suspended, and the admins are asked whether to keep it',
    async run(trip) {
      const { company_id: companyId, created } = trip;
      const { token } = trip.app.installation;
      const path = `/v1/collaborators/${created[1]!.id}`;
      await trip.request('PATCH', path, { token, company_id: companyId, body: { location: 'Setúbal' }, status: 403 });
      const { file } = await mailedLink(trip.outbox, accounts.admin, `${trip.base_url}/oauth/installation/`);
      trip.print(`  a link to keep it or to end it: ${file}`);
    },
  },
  {
    title: 'The admin confirms the app, and it works again',
    async run(trip) {
      const { company_id: companyId, created, base_url: baseUrl } = trip;
      const { id, token } = trip.app.installation;
      await trip.request('POST', `/v1/connections/${id}/confirm`, { ...asAdmin(trip), status: 200 });
      const headers = { authorization: `Bearer ${token}`, 'x-company-id': companyId };
      const elapsedMs = await untilTrue('the app works again', async () => {
        return (await fetch(`${baseUrl}/v1/collaborators`, { headers })).ok;
      });
      const path = `/v1/collaborators/${created[1]!.id}`;
      await trip.request('PATCH', path, { token, company_id: companyId, body: { location: 'Setúbal' }, status: 200 });
      trip.print(`  accepted after ${elapsedMs} ms`);
    },
  },
  {
    title: 'History and audit log name the app, and who installed it',
    async run(trip) {
      const { id } = trip.app.installation;
      const path = `/v1/collaborators/${trip.created[1]!.id}/history?limit=1`;
      const { body: history } = await trip.request('GET', path, { ...asAdmin(trip), status: 200 });
      const [entry] = history.data;
      expect('who did it', [entry.user_id, entry.installation?.client_id], [id, trip.app.client_id]);
      trip.print(`  ${entry.description}, by ${entry.installation.name}`);
      const audit = `/v1/audit?actor_id=${id}&limit=1`;
      const { body } = await trip.request('GET', audit, { ...asAdmin(trip), status: 200 });
      const { actor, action } = body.data[0];
      trip.print(`  ${action} by ${actor.name}, installed by ${actor.installed_by_name}`);
    },
  },
  {
    title: 'The admin ends it, and deletes the app',
    async run(trip) {
      const { id, token } = trip.app.installation;
      await trip.request('DELETE', `/v1/connections/${id}`, { ...asAdmin(trip), status: 200 });
      trip.print(`  refused after ${await msUntilRefused(trip, token)} ms`);
      await trip.request('DELETE', `/v1/apps/${trip.app.client_id}`, { ...asAdmin(trip), status: 200 });
    },
  },
];

function asAdmin({ tokens, company_id: companyId }: Trip) {
  return { token: tokens.admin, company_id: companyId };
}

/**
 * Walks a user through the pages to grant an app its requested scopes, with an authenticator app if required.
 * @param extraParameters parameters of the request
 */
async function allow(
  trip: Trip,
  email: string,
  extraParameters: Record<string, string> = {},
): Promise<{ access_token: string }> {
  const { base_url: baseUrl, password } = trip;
  const { client_id: clientId, client_secret: clientSecret } = trip.app;
  const request = await authorizationRequest(await discover(baseUrl), clientId, redirectUri, scopes.join(' '));
  for (const [name, value] of Object.entries(extraParameters)) request.url.searchParams.set(name, value);
  const result = await walkPages(request.url, { email, password, codeOf });
  expect('the state', result.get('state'), request.state);
  const code = result.get('code');
  if (!code) throw new Error(`no code came back: ${result}`);
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const { code_verifier: codeVerifier } = request;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  const tokens = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', headers: { authorization }, body });
  expect('the status of the exchange of the code', tokens.status, 200);
  return (await tokens.json()) as { access_token: string };
}

/** The code of an authenticator app that has just scanned the page. */
function codeOf(html: string): string {
  const key = /otpauth:[^"]*?secret=([A-Z2-7]+)/.exec(html)?.[1];
  if (!key) throw new Error('the page shows no key for an authenticator app');
  return new TOTP({ secret: Secret.fromBase32(key) }).generate();
}

function msUntilRefused({ base_url: baseUrl, company_id: companyId }: Trip, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-company-id': companyId };
  return untilTrue('the token of the app is refused', async () => {
    return (await fetch(`${baseUrl}/v1/collaborators`, { headers })).status === 401;
  });
}
