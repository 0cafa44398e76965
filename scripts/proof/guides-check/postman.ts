/** The Postman collection: performs its sign-in as Postman would, then runs its first folder with Newman, Postman's runner. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { walkPages } from '../../run/sign-in.ts';
import { project, run } from '../sdk-check/client.ts';
import type { Guide } from './guide.ts';

const version = '6.2.2';
const collectionFile = join(project, 'docs/guides/postman/collection.json');

interface Collection {
  auth: { oauth2: { key: string; value: string | boolean }[] };
  variable: { key: string; value: string }[];
}

export const postman: Guide = {
  name: 'postman',
  tool: `newman ${version}`,
  async install(tools) {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', tools, ...flags, `newman@${version}`], { cwd: tools });
  },
  async check(tools, { base_url: baseUrl, db }, credentials) {
    const collection = JSON.parse(await readFile(collectionFile, 'utf8')) as Collection;
    const authSettings = Object.fromEntries(collection.auth.oauth2.map(({ key, value }) => [key, String(value)]));
    const client = await createClient(db, {
      name: 'Postman',
      redirect_uris: [authSettings.redirect_uri!],
      public: true,
    });
    const values = { base_url: baseUrl, client_id: client.id, client_secret: '' };
    const auth = await substituted(tools, authSettings, values);
    const accessToken = await signInAsPostman(auth, credentials);
    const flags = ['--folder', 'Start here', '--bail', '--color', 'off', '--disable-unicode'];
    const file = join(project, '.data/guides-check/collection.json');
    await writeFile(file, JSON.stringify(filledIn(collection, accessToken, values)));
    const report = await run(join(tools, 'node_modules/.bin/newman'), ['run', file, ...flags], { cwd: project });
    const counts = /assertions\s*\|\s*(\d+)\s*\|\s*(\d+)/.exec(report);
    if (counts?.[2] !== '0' || counts[1] === '0') throw new Error(report);
    return ['signed in with PKCE', `${counts[1]} checks of the first folder hold`];
  },
};

/** Resolves the collection's variables with Postman's own library. */
async function substituted(
  tools: string,
  settings: Record<string, string>,
  values: Record<string, string>,
): Promise<Record<string, string>> {
  const library = pathToFileURL(join(tools, 'node_modules/postman-collection/index.js')).href;
  const { Property } = (await import(library)).default as {
    Property: { replaceSubstitutionsIn<T>(from: T, variables: object[]): T };
  };
  return Property.replaceSubstitutionsIn(settings, [values]);
}

/** The URL that Postman opens, and the form that it posts; without a secret if there is none. */
async function signInAsPostman(
  auth: Record<string, string>,
  credentials: { email: string; password: string },
): Promise<string> {
  const {
    grant_type: grantType,
    challengeAlgorithm,
    clientId,
    redirect_uri: redirectUri,
    scope,
    state,
  } = auth as {
    [name: string]: string;
  };
  if (grantType !== 'authorization_code_with_pkce' || auth.client_authentication !== 'body') {
    throw new Error('this is not a PKCE sign-in by a public client');
  }
  const codeVerifier = randomBytes(32).toString('base64url');
  const url = new URL(auth.authUrl!);
  url.search = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId!, redirect_uri: redirectUri!, scope: scope!, state: state! },
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: challengeAlgorithm!,
  }).toString();
  const result = await walkPages(url, credentials);
  if (result.get('state') !== state) throw new Error(`a different state came back: ${result}`);
  const code = result.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri!, client_id: clientId! };
  const body = new URLSearchParams({ ...form, code_verifier: codeVerifier });
  const tokens = await fetch(auth.accessTokenUrl!, { method: 'POST', body });
  if (!tokens.ok) throw new Error(`no token: ${tokens.status} ${await tokens.text()}`);
  return ((await tokens.json()) as { access_token: string }).access_token;
}

/** The collection with variables and token filled in, because Newman does not sign in. */
function filledIn(collection: Collection, accessToken: string, values: Record<string, string>): Collection {
  const { auth, variable } = collection;
  const token = { key: 'accessToken', value: accessToken, type: 'string' };
  return {
    ...collection,
    auth: { ...auth, oauth2: [...auth.oauth2, token] },
    variable: variable.map(({ key, value }) => ({ key, value: values[key] ?? value })),
  };
}
