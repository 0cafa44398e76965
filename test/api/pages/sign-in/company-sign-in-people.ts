/** Helpers for tests of sign-in with a company's identity provider. */
import { randomUUID } from 'node:crypto';
import { createClient } from '../../../../src/identity/clients/clients.ts';
import { newSecret, secretHash } from '../../../../src/platform/secrets/secrets.ts';
import { invitationToken } from '../../../../src/product/collaborators/membership/invitations.ts';
import type { TestApp } from '../../../helpers/app.ts';
import {
  chooseCompany,
  type IdentityProvider,
  redirectTargetOf,
  tokensAfter,
} from '../../../helpers/identity/identity-provider.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
} from '../../../helpers/identity/oauth.ts';
import { addDirectory, type TestDirectory, userUrn } from '../../../helpers/resources/directories.ts';

export const redirectUri = 'http://127.0.0.1/callback';
export const allowPrivate = { WEBHOOK_ALLOW_PRIVATE: 'true' };

export interface SignIns {
  app: TestApp;
  client: { id: string };
  directory: TestDirectory;
}

export async function signIns(app: TestApp): Promise<SignIns> {
  const client = await createClient(app.database.db, { name: 'Desk', redirect_uris: [redirectUri], public: true });
  return { app, client, directory: await addDirectory(app) };
}

/** A person from the company's directory. */
export async function directoryPerson({ directory }: SignIns, more: Record<string, unknown> = {}) {
  const userName = `${randomUUID()}@verdelog.example`;
  const sub = `okta-${randomUUID()}`;
  const sent = {
    schemas: [userUrn],
    userName,
    externalId: sub,
    displayName: 'Inês Sá',
    title: 'Planner',
    active: true,
  };
  const { body } = await directory.post('/Users', { ...sent, ...more }).expect(201);
  return { id: body.id as string, sub, userName };
}

/** An invited person, with the link from the email. */
export async function invitedPerson({ app }: SignIns) {
  const email = `${randomUUID()}@verdelog.example`;
  const person = { name: 'Inês Sá', email, position: 'Driver', department: 'Fleet' };
  const { id } = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
  await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
  const secret = newSecret();
  await app.database.query('update invitations set token_hash = $2 where collaborator_id = $1', [
    id,
    secretHash(secret),
  ]);
  return { id, email, link: `${app.base_url}/oauth/invitation/${invitationToken(app.company_id, secret)}` };
}

export function beginSignIn({ app, client }: SignIns, scopes = ['profile', 'collaborators:read'], more = {}) {
  const verifier = newVerifier();
  const authorization = { base_url: app.base_url, client_id: client.id, redirect_uri: redirectUri, scopes, verifier };
  const url = `${authorizationUrl(authorization)}&${new URLSearchParams(more)}`;
  return { url, verifier };
}

/** Goes from the sign-in page to the provider and back. @returns the page after it */
export async function throughProvider(
  signing: SignIns,
  idp: IdentityProvider,
  {
    browser = createBrowser(signing.app.base_url),
    url = beginSignIn(signing).url,
    email = 'anybody@verdelog.example',
  } = {},
): Promise<{ browser: Browser; page: Page }> {
  const chosen = await chooseCompany(browser, url, email);
  const back = await idp.signIn(redirectTargetOf(chosen));
  return { browser, page: await browser.open(back.href) };
}

/** The whole flow. @returns the app's tokens */
export async function tokensBy(signing: SignIns, idp: IdentityProvider, scopes?: string[], more = {}) {
  const { url, verifier } = beginSignIn(signing, scopes, more);
  const { browser, page } = await throughProvider(signing, idp, { url });
  const { client } = signing;
  const tokens = await tokensAfter(signing.app, browser, page, { client, redirect_uri: redirectUri, verifier });
  return { browser, page, tokens };
}

export async function authUserOf({ app }: SignIns, token = '') {
  const response = await fetch(`${app.base_url}/auth/user`, { headers: { authorization: `Bearer ${token}` } });
  return response.json() as Promise<{ id: string; email: string; companies: { id: string; role: string }[] }>;
}

export async function readPeople({ app }: SignIns, token = '', companyId = app.company_id): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-company-id': companyId };
  return (await fetch(`${app.base_url}/v1/collaborators`, { headers })).status;
}
