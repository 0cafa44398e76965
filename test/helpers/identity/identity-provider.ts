/** A real OpenID provider (oidc-provider), friendly or hostile, that signs in the person a test names without prompting. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { decodeJwt } from 'jose';
import Provider from 'oidc-provider';
// @ts-expect-error: not typed. Given explicitly, it comes without the warning not to use it in production.
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { Config } from '../../../src/platform/config/config.ts';
import type { TestDatabase } from '../database/database.ts';
import { addSignInConnection } from '../resources/sign-in-connections.ts';
import { type Browser, createBrowser, type Page, tokenRequest } from './oauth.ts';

export interface IdentityProvider {
  issuer: string;
  connection_id: string;
  /** The next person to sign in, with their claims. */
  person: { sub: string; amr?: string[]; acr?: string } & Record<string, unknown>;
  /** Changes the payload of the next ID tokens, which are then signed again. */
  tamper?: ((payload: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Signs with a key that the provider doesn't publish. */
  forgesSignature: boolean;
  /** The parameters of the last authorization request. */
  authorizationParams: URLSearchParams;
  /** The session (`sid`) of the last ID token. */
  sid?: string | undefined;
  /** Signs people out by a back-channel logout, as the provider itself does. */
  logOut(sub: string, sid: string): Promise<void>;
  /** Signs a token of any payload. @param header fields in place of the usual ones */
  token(payload: Record<string, unknown>, header?: Record<string, unknown>): string;
  /** The last client assertion (RFC 7523), if the connection authenticates with a key. */
  assertion?: string | undefined;
  /** Signs in at the URL the service redirected to. @returns the URL that the provider redirects back to */
  signIn(href: string): Promise<URL>;
  close(): Promise<void>;
}

interface Service {
  database: TestDatabase;
  company_id: string;
  config: Config;
  base_url: string;
}

/** Keys of closed providers, which the next ones use: making an RSA key takes longer than a sign-in. */
const freeKeys: ReturnType<typeof newKey>[] = [];
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

const claims = ['name', 'email', 'email_verified', 'preferred_username', 'oid', 'acr', 'amr', 'groups'];

/** Starts a provider, and adds a connection of the company to it. @param settings of the connection */
export async function identityProvider(
  service: Service,
  settings: Parameters<typeof addSignInConnection>[1] = {},
  companyId = service.company_id,
): Promise<IdentityProvider> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: 'verdelog', secret: 'a secret of the provider' };
  const connection = {
    status: 'enabled',
    ...settings,
    issuer,
    client_id: client.id,
    client_secret: client.secret,
  } as const;
  const connectionId = await addSignInConnection(service, connection, companyId);
  const jwksUri = `${service.base_url}/oauth/connections/${connectionId}/jwks`;
  const usesKey = settings.client_authentication === 'private_key_jwt';
  const keys = [freeKeys.pop() ?? newKey(), freeKeys.pop() ?? newKey()];
  const idp: IdentityProvider = {
    issuer,
    connection_id: connectionId,
    person: { sub: randomUUID() },
    forgesSignature: false,
    authorizationParams: new URLSearchParams(),
    async signIn(href) {
      idp.authorizationParams = new URL(href).searchParams;
      const { location, status, html } = await createBrowser(issuer).open(href);
      if (!location) throw new Error(`${status} of the provider: ${html}`);
      return location;
    },
    async logOut(sub, sid) {
      // Its types don't have this method.
      const to = (await provider.Client.find(client.id)) as unknown as {
        backchannelLogout: IdentityProvider['logOut'];
      };
      await to.backchannelLogout(sub, sid);
    },
    token(payload, header) {
      const parts = [{ alg: 'RS256', kid: 'one', ...header }, payload].map((each) =>
        Buffer.from(JSON.stringify(each)).toString('base64url'),
      );
      const signature = sign('sha256', Buffer.from(parts.join('.')), keys[idp.forgesSignature ? 1 : 0]!.privateKey);
      return [...parts, signature.toString('base64url')].join('.');
    },
    close: () => {
      freeKeys.push(...keys);
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(0),
    clients: [
      {
        client_id: client.id,
        ...(usesKey
          ? {
              token_endpoint_auth_method: 'private_key_jwt',
              token_endpoint_auth_signing_alg: 'ES256',
              jwks_uri: jwksUri,
            }
          : { client_secret: client.secret }),
        backchannel_logout_uri: `${service.base_url}/oauth/connections/${connectionId}/backchannel-logout`,
        backchannel_logout_session_required: true,
        redirect_uris: [`${service.base_url}/oauth/connections/${connectionId}/callback`],
      },
    ],
    jwks: {
      keys: [
        { ...(keys[0]!.privateKey.export({ format: 'jwk' }) as object), kid: 'one', alg: 'RS256', use: 'sig' } as never,
      ],
    },
    claims: { openid: ['sub', ...claims] },
    scopes: ['openid', 'profile', 'email'],
    conformIdTokenClaims: false,
    // Without its dispatcher, which refuses loopback addresses such as that of our keys.
    fetch: (url, options = {}) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    cookies: { keys: ['a key'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ ...idp.person, sub: id }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        accountId: ctx.oidc.session!.accountId!,
        clientId: ctx.oidc.client!.clientId,
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === '/token') idp.assertion = ctx.oidc.params?.client_assertion as string | undefined;
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path === '/token' && body?.id_token) idp.sid = decodeJwt(body.id_token).sid as string | undefined;
    if (ctx.path !== '/token' || !body?.id_token || (!idp.tamper && !idp.forgesSignature)) return;
    const payload = JSON.parse(Buffer.from(body.id_token.split('.')[1]!, 'base64url').toString());
    const idTokenPayload = { ...payload };
    ctx.body = { ...body, id_token: idp.token(idp.tamper ? idp.tamper(idTokenPayload) : idTokenPayload) };
  });
  app.get('/interaction/:uid', async (req, res) => {
    const { sub, amr, acr } = idp.person;
    const login = { accountId: sub, ...(amr && { amr }), ...(acr && { acr }) };
    await provider.interactionFinished(req, res, { login });
  });
  app.use(provider.callback());
  return idp;
}

/** Submits an email address on the sign-in page to choose the company's provider. */
export async function chooseCompany(browser: Browser, authorize: string, email: string): Promise<Page> {
  const page = await browser.open(authorize);
  const form = page.forms.find((each) => each.has('email'))!;
  return browser.submit(page, form, { email, action: 'provider' });
}

/** The target of a page's automatic redirect. */
export function redirectTargetOf(page: Page): string {
  const href = /url=(.+)$/.exec(page.headers.get('refresh') ?? '')?.[1];
  if (!href) throw new Error(`${page.status} leads nowhere: ${page.html}`);
  return href;
}

/** Approves an app on the consent page, and exchanges the code. */
export async function tokensAfter(
  service: { base_url: string },
  browser: Browser,
  page: Page,
  { client, redirect_uri: redirectUri, verifier }: { client: { id: string }; redirect_uri: string; verifier: string },
): Promise<Record<string, string>> {
  const form = page.forms.at(-1)!;
  const { location } = await browser.submit(page, form, { company: form.options('company'), action: 'allow' });
  const code = location?.searchParams.get('code') ?? '';
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  return (await tokenRequest(service.base_url, client, body)).json() as Promise<Record<string, string>>;
}
