/** During a database outage, callers get 503, and never an error that blames them. */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import express from 'express';
import { createOAuth, type OAuth } from '../../src/api/pages/oauth.ts';
import { Problem } from '../../src/contract/problem.ts';
import { type Database, openDatabase } from '../../src/platform/db/client.ts';
import { type AccessListener, listenForAccessChanges } from '../../src/platform/notify/listen.ts';
import { eventually } from '../helpers/eventually.ts';
import { authorizationUrl, createBrowser, newVerifier, signIn, tokenRequest } from '../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, redirectUri } from './service.ts';

let service: OAuthService;
let cable: Cable;
let db: Database;
let access: AccessListener;
let oauth: OAuth;
let baseUrl: string;
let server: ReturnType<typeof createHttpServer>;

/** Serves the people and clients of `service` from another process, whose database connection can be cut. */
beforeAll(async () => {
  service = await oauthService();
  cable = await layCable(service.database.url);
  db = openDatabase({ url: cable.url, poolSize: 3, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 });
  access = listenForAccessChanges({ url: cable.url });
  await access.ready;
  const app = express();
  server = createHttpServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  oauth = await createOAuth({ config: service.config, base_url: baseUrl, db, access, mail: service.mail });
  app.use(oauth.router);
});
afterAll(async () => {
  await access.close();
  await db.close();
  server.close();
  await cable.remove();
  await service.close();
});

test('an outage is reported as such, and leaves no trace afterwards', async () => {
  const options = {
    ...service,
    ...service.ana,
    base_url: baseUrl,
    client: service.native,
    scopes: ['profile', 'offline_access'],
  };
  const { access_token: accessToken, refresh_token: refreshToken } = await signIn(options);
  const remembered = await oauth.verifyToken(accessToken);
  const url = authorizationUrl({
    ...options,
    client_id: service.native.id,
    redirect_uri: redirectUri,
    verifier: newVerifier(),
  });
  const browser = createBrowser(baseUrl);
  const page = await browser.open(url);
  const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken! };

  cable.cut();
  const refused = await tokenRequest(baseUrl, service.native, refresh);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  await expect(refused.json()).resolves.toMatchObject({ error: 'temporarily_unavailable' });
  const failures = [
    await browser.open(url),
    await browser.open(page.url),
    await browser.submit(page, page.forms[0]!, { ...service.ana, action: 'login' }),
  ];
  for (const failure of failures) {
    expect(failure.status).toBe(503);
    expect(failure.headers.get('retry-after')).toBe('5');
    expect(failure.html).toContain('<h1>Something went wrong</h1>');
    expect(failure.location).toBeUndefined();
  }
  await eventually(() => expect(access.connected).toBe(false));
  const error = await oauth.verifyToken(accessToken).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(Problem);

  cable.repair();
  await eventually(() => expect(access.connected).toBe(true));
  const found = await oauth.verifyToken(accessToken);
  expect(found).toEqual({ ...remembered, access_version: expect.any(Number) });
  expect(found.access_version).not.toBe(remembered.access_version);
  const consent = await browser.submit(page, page.forms[0]!, { ...service.ana, action: 'login' });
  expect(consent.html).toContain('to act for you?');
  expect((await tokenRequest(baseUrl, service.native, refresh)).status).toBe(200);
});

interface Cable {
  url: string;
  cut(): void;
  repair(): void;
  remove(): Promise<void>;
}

/** A proxy to the database that can be cut: it closes connections, and new ones immediately. */
async function layCable(url: string): Promise<Cable> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let whole = true;
  const proxy: Server = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const through = new URL(url);
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through.href,
    cut,
    repair() {
      whole = true;
    },
    async remove() {
      cut();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}
