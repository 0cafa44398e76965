// Runs the Zapier app with Zapier's test harness, as the platform would: connects an account, loads samples, enables a workflow,
// receives an event, runs an action, refreshes the token, and disables the workflow.
//
// node scripts/proof/guides-check/drive-zapier.ts, with BASE_URL, CLIENT_ID, and CLIENT_SECRET as set by Zapier, EMAIL and
// PASSWORD of an admin, and APP: the app's folder, with Zapier's packages installed.
import { strict as assert } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { exit } from '../../../src/platform/process/exit.ts';
import { walkPages } from '../../run/sign-in.ts';

export const redirectUri = 'https://zapier.com/dashboard/auth/oauth/return/App100000CLIAPI/';

/** Prefix of step lines. */
export const stepMark = '• ';

interface Bundle {
  inputData?: Record<string, string>;
  authData?: Record<string, string>;
  subscribeData?: unknown;
  targetUrl?: string;
  cleanedRequest?: unknown;
}
/** Result of an app function: the response body of a request, or a trigger's list. */
type Result = Record<string, string> & Result[];
type Tester = (part: unknown, bundle: Bundle) => Promise<Result>;

interface App {
  authentication: {
    test: unknown;
    oauth2Config: { authorizeUrl: unknown; getAccessToken: unknown; refreshAccessToken: unknown; scope: string };
  };
  triggers: Record<string, { operation: Record<string, unknown> }>;
  creates: Record<string, { operation: Record<string, unknown> }>;
}

if (process.argv[1] === import.meta.filename) {
  try {
    await drive();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  exit();
}

/** Marks our lines, because Zapier's packages print as well. */
function printStep(line: string): void {
  console.log(`${stepMark}${line}`);
}

async function drive(): Promise<void> {
  const { APP, EMAIL, PASSWORD } = process.env as Record<string, string>;
  const { default: app } = (await import(join(APP!, 'index.js'))) as { default: App };
  const { default: zapier } = await import(join(APP!, 'node_modules/zapier-platform-core/index.mjs'));
  const test: Tester = zapier.createAppTester(app);
  const authData = await connect(test, app.authentication, { email: EMAIL!, password: PASSWORD! });
  const { operation: event } = app.triggers.event!;
  const { operation: create } = app.creates.create_collaborator!;

  const [company] = await test(app.triggers.company!.operation.perform, { authData });
  printStep(`companies: ${company!.name}`);
  const inputData = { company_id: company!.id!, event: 'collaborator.created' };

  const samples = await test(event.performList, { authData, inputData });
  assert.ok(samples.length > 0 && samples.every((sample) => sample.id && sample.event === inputData.event));
  printStep(`samples: ${samples.length}`);

  const receiver = await receive();
  const subscribeData = await test(event.performSubscribe, { authData, inputData, targetUrl: receiver.url });
  assert.equal(subscribeData.payload_format, 'flat');
  printStep('subscribed');

  const email = `zoe-${randomBytes(4).toString('hex')}@verdelog.example`;
  // Field values as Zapier sends them: dates with time and zone, and empty strings for unset fields.
  const fields = { name: 'Zoe Zapier', email, position: 'Driver', department: 'Fleet', phone: '' };
  const person = { company_id: company!.id!, ...fields, hire_date: '2026-03-02T00:00:00-03:00' };
  const created = await test(create.perform, { authData, inputData: person });
  assert.equal(created.hire_date, '2026-03-02');
  assert.equal(created.phone, null);
  printStep(`created: ${created.name}, ${created.status}`);

  const cleanedRequest = await receiver.body;
  const [item] = await test(event.perform, { authData, inputData, subscribeData, cleanedRequest });
  assert.equal(item!.collaborator_id, created.id);
  const [latest] = await test(event.performList, { authData, inputData });
  assert.deepEqual(item, latest, 'an event that arrives is what the list shows');
  printStep(`received: ${item!.event}, ${item!.name}`);

  await assert.rejects(test(create.perform, { authData, inputData: person }), /email: /);
  printStep('rejected: a duplicate email address');

  const { refresh_token: refreshToken } = authData;
  const stale = { ...authData, access_token: 'expired' };
  await assert.rejects(test(app.authentication.test, { authData: stale }), { name: 'RefreshAuthError' });
  const refreshed = await test(app.authentication.oauth2Config.refreshAccessToken, { authData: stale });
  assert.ok(refreshed.access_token && refreshed.refresh_token !== refreshToken);
  const { name } = await test(app.authentication.test, { authData: refreshed });
  printStep(`refreshed: ${name}`);

  const ended = await test(event.performUnsubscribe, { authData: refreshed, inputData, subscribeData });
  assert.deepEqual(ended.ids, [subscribeData.id]);
  printStep('unsubscribed');
  receiver.close();
}

/** Connects an account as Zapier does: creates the verifier, and adds the challenge and the scopes to the URL. */
async function connect(
  test: Tester,
  { oauth2Config, test: testAccount }: App['authentication'],
  credentials: { email: string; password: string },
): Promise<Record<string, string>> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('hex');
  const url = new URL(
    String(await test(oauth2Config.authorizeUrl, { inputData: { redirect_uri: redirectUri, state } })),
  );
  url.searchParams.set('scope', oauth2Config.scope);
  url.searchParams.set('code_challenge', createHash('sha256').update(codeVerifier).digest('base64url'));
  url.searchParams.set('code_challenge_method', 'S256');
  const result = await walkPages(url, credentials);
  assert.equal(result.get('state'), state);
  const inputData = { ...Object.fromEntries(result), redirect_uri: redirectUri, code_verifier: codeVerifier };
  const authData = await test(oauth2Config.getAccessToken, { inputData });
  const { name } = await test(testAccount, { authData });
  printStep(`connected: ${name}`);
  return authData;
}

/** A workflow's webhook URL; accepts one event. */
async function receive(): Promise<{ url: string; body: Promise<unknown>; close(): void }> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const server = createServer(async (req, res) => {
    resolve(JSON.parse((await buffer(req)).toString()));
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"success"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/catch`, body: promise, close };
}
