/**
 * Each shell block of the guides, pasted as printed into a shell with a running service. Blocks that can't run
 * alone are listed with the reason; new blocks run unless listed. The blocks of the guide "Your first app" run together.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { utils, write } from 'xlsx';
import { walkPages } from '../../../scripts/run/sign-in.ts';
import { runCli } from '../../helpers/cli.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const companyInGuides = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const personInGuides = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const importInGuides = '0199ba31-8d0e-7f52-b6c9-04a7e3d15f88';
const documentInGuides = '0199b9a7-2f61-7c08-94d3-6ea5180b7cf2';
const redirectUri = 'https://app.example.com/callback';

/** Pages in execution order; the policy is last, because it affects everyone. */
const pages = [
  'README.md',
  'guides/README.md',
  'guides/authentication.md',
  'guides/browsers.md',
  'guides/pagination.md',
  'guides/errors.md',
  'guides/languages.md',
  'guides/bulk.md',
  'guides/import.md',
  'guides/export.md',
  'guides/versions.md',
  'guides/postman/README.md',
  'guides/zapier/README.md',
  'guides/command-line.md',
  'webhooks/README.md',
  'webhooks/signatures.md',
  'guides/company-policy.md',
];

/** Starts of blocks that don't run here, with the reason. */
const omitted: Record<string, string> = {
  'make run': 'it is running',
  'make help': 'they are run on their own',
  'npm install --global': 'test/system/cli/package.test.ts installs it',
  'npm install\nnpx zapier': 'make proof NAME=guides',
  'npx zapier': 'make proof NAME=guides',
  'npx openapi-typescript': 'make proof NAME=sdks',
  'collaborators listen': 'it does not end; test/system/cli/package.test.ts',
  'source <(collaborators': 'packages/cli/test/completion.test.ts',
  'collaborators login --base-url https': 'it opens a browser; test/api/cli/login.test.ts',
  '#!/bin/sh': 'a file; test/system/docs/webhooks.test.ts',
  'export WEBHOOK_SECRET': 'it needs a receiver; test/system/docs/webhooks.test.ts',
};

let here: SignedIn;
let env: Record<string, string>;
let baseUrl: string;
const credentials = { email: 'mariana@verde.example', password: 'correct horse battery staple' };

beforeAll(async () => {
  here = await signedIn();
  ({ base_url: baseUrl } = here.service);
  env = {
    ...here.env,
    TMPDIR: here.folder,
    BASE_URL: baseUrl,
    API_URL: baseUrl,
    PATH: process.env.PATH!,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    CHECKOUT: checkout,
    COMMANDS: `${here.folder} commands`,
  };
  env.TOKEN = (await pasted('npm run -s cli -- token')).trim();
  const [company] = (await api('GET', '/auth/user')).companies;
  Object.assign(env, { COMPANY_ID: company.id, COLLABORATOR_ID: company.collaborator_id });
  await writeFile(join(here.folder, 'change.json'), '{"position":"Lead Planner"}');
  Object.assign(env, await personWithDocument(), { IMPORT: await ended(await importOfOne()) });
});

afterAll(() => here.close());

describe('the guide of the first app', () => {
  const blocks = async () => {
    const text = await readFile(join(checkout, 'docs/guides/first-app.md'), 'utf8');
    return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
  };

  test('works when pasted, and each step prints what the guide says', async () => {
    const script = ['set -e', ...(await blocks())].join('\n').replaceAll('http://127.0.0.1:8080', baseUrl);
    const { code, stdout, stderr } = await inCheckout(script);
    expect({ code, stderr: stderr.replace(/Open this in a browser:\n\S+\n/g, '') }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Mariana Duarte, admin of Verde Logística\n');
    expect(stdout).toMatch(/The app is \S{36}\n/);
    expect(stdout).toMatch(/"position":/);
    expect(stdout).toContain('My first app, allowed by Mariana Duarte\n');
    expect(stdout).toContain('"ended":true');
    expect(stdout).toMatch(/\ninvalid_token: \S/);
    expect(stdout).toContain('"kind":"installation"');
    expect(stdout).toMatch(/"deleted":true.*\n$/);
  });

  test('avoids history expansion and comments, which not every interactive shell accepts', async () => {
    for (const code of await blocks()) {
      expect(code).not.toMatch(/![^= (\n]/);
      expect(code).not.toMatch(/^#|\s#\s/m);
    }
  });
});

test.each(pages)('%s', async (page) => {
  if (page === 'guides/authentication.md') Object.assign(env, await signedInApp());
  const path = page === 'README.md' ? join(checkout, page) : join(checkout, 'docs', page);
  const text = (await readFile(path, 'utf8'))
    .replaceAll('http://127.0.0.1:8080', baseUrl)
    .replaceAll(companyInGuides, env.COMPANY_ID!)
    .replaceAll(personInGuides, env.PERSON!)
    .replaceAll(documentInGuides, env.DOCUMENT!)
    .replaceAll(importInGuides, env.IMPORT!);
  await writeFile(join(here.folder, 'people.xlsx'), workbookOf(page));
  for (const [, block] of text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)) {
    if (Object.keys(omitted).some((beginning) => block!.trimStart().startsWith(beginning))) continue;
    const code = block!.replace('-o people.xlsx', '-o template.xlsx'); // someone filled in people.xlsx
    const stdout = await pasted(code);
    await goOn(code, stdout);
  }
});

/** Runs it in a shell in this checkout, and opens the requested URLs in "a browser". */
function inCheckout(script: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { BASE_URL, TOKEN, COMPANY_ID, ...plain } = env;
  const shell = spawn('bash', [], { cwd: checkout, env: plain });
  const output = { stdout: '', stderr: '' };
  let opened = 0;
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
    const addresses = [...output.stderr.matchAll(/Open this in a browser:\n(\S+)\n/g)].slice(opened);
    opened += addresses.length;
    for (const [, address] of addresses) {
      completeSignIn(new URL(address!)).catch((error) => {
        output.stderr += `${error}`;
        shell.kill();
      });
    }
  });
  shell.stdin.end(script);
  return new Promise((resolve) => {
    shell.once('close', (code) => resolve({ code, ...output }));
  });
}

/** Signs in, allows the app, and follows the final redirect to it. */
async function completeSignIn(address: URL): Promise<void> {
  const end = new URL(address.searchParams.get('redirect_uri')!);
  end.search = (await walkPages(address, credentials)).toString();
  const response = await fetch(end);
  if (!response.ok) throw new Error(`the app responded ${response.status}`);
}

/** A file with a new person. In the import guide, her salary is ambiguous. */
function workbookOf(page: string): Buffer {
  const email = `ines.${pages.indexOf(page)}@verdelog.example`;
  const person = { name: 'Inês Prata', email, position: 'Planner', department: 'Fleet' };
  const sheet = utils.json_to_sheet([page === 'guides/import.md' ? { ...person, salary: '68.400' } : person]);
  return write({ SheetNames: ['People'], Sheets: { People: sheet } }, { type: 'buffer', bookType: 'xlsx' });
}

/** Carries values to the next block, as a reader would copy them. */
async function goOn(code: string, stdout: string): Promise<void> {
  if (code.includes('grant_type=authorization_code')) env.REFRESH_TOKEN = JSON.parse(stdout).refresh_token;
  const isSent = code.includes('collaborators/import"');
  if (isSent) env.IMPORT_ID = JSON.parse(stdout).id;
  if (isSent) await ended(env.IMPORT_ID!, ['completed', 'needs_answers']);
  else if (code.includes('/answers"') || code.includes('/commit"')) await ended(env.IMPORT_ID!);
}

async function ended(id: string, reached = ['completed']): Promise<string> {
  await eventually(async () => expect(reached).toContain((await api('GET', `/v1/imports/${id}`)).status));
  return id;
}

async function importOfOne(): Promise<string> {
  const content = 'name,email,position,department\nIvo Prata,ivo.prata@verdelog.example,Planner,Fleet\n';
  const file = { filename: 'one.csv', content_base64: Buffer.from(content).toString('base64') };
  return (await api('POST', '/v1/collaborators/import', file)).id;
}

async function personWithDocument(): Promise<{ PERSON: string; DOCUMENT: string }> {
  const person = { name: 'Rui Prata', email: 'rui.prata@verdelog.example', position: 'Driver', department: 'Fleet' };
  const { id } = await api('POST', '/v1/collaborators', person);
  const file = { type: 'other', filename: 'note.txt', content_base64: Buffer.from('A note.').toString('base64') };
  const document = await api('POST', `/v1/collaborators/${id}/documents`, file);
  return { PERSON: id, DOCUMENT: document.id };
}

/** The guides' "your app": registered and signed in to. */
async function signedInApp(): Promise<Record<string, string>> {
  const { client_id: id, client_secret: secret } = await api('POST', '/v1/apps', {
    name: 'Guide',
    kind: 'confidential',
    redirect_uris: [redirectUri],
    scopes: ['profile', 'collaborators:read', 'offline_access'],
  });
  const verifier = randomBytes(32).toString('base64url');
  const address = new URL('/oauth/authorize', baseUrl);
  address.search = `${new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    scope: 'profile collaborators:read offline_access',
    state: 'a',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`;
  const code = (await walkPages(address, credentials)).get('code')!;
  return { CLIENT_ID: id, CLIENT_SECRET: secret, CODE: code, VERIFIER: verifier };
}

// biome-ignore lint/suspicious/noExplicitAny: each call knows what comes back
async function api(method: string, path: string, body?: object): Promise<any> {
  const headers: Record<string, string> = { Authorization: `Bearer ${env.TOKEN}`, 'Content-Type': 'application/json' };
  if (env.COMPANY_ID) headers['X-Company-Id'] = env.COMPANY_ID;
  const response = await fetch(baseUrl + path, { method, headers, body: body ? JSON.stringify(body) : null });
  const content = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(content)}`);
  return content;
}

/**
 * A reader's environment: the commands of a checkout by the names in the guides, from any folder, stopping on errors. Commands whose
 * output no block uses are noted, to run in this process.
 */
const prelude = `set -eu
npm() {
  case "$*" in
    'run -s cli -- '*) shift 4; node "$CHECKOUT/src/cli.ts" "$@" ;; # npm itself takes longer to start than the command
    'run cli -- '*) shift 3; collaborators "$@" ;;
    'run '*) shift; command npm run --prefix "$CHECKOUT" "$@" ;;
    *) command npm "$@" ;;
  esac
}
npx() { local name=$1; shift; "$CHECKOUT/node_modules/.bin/$name" "$@"; }
collaborators() { printf '%s\\0' "$@" $'\\n' >> "$COMMANDS"; }
command -v uuidgen > /dev/null || uuidgen() { node -p 'crypto.randomUUID()'; }
curl() { command curl -sS "\${strict:---fail-with-body}" "$@"; }
`;

async function pasted(code: string): Promise<string> {
  // The languages guide shows an error.
  const expected = code.includes('/nobody') ? 'strict=-s\n' : '';
  const options = { cwd: here.folder, env: env as NodeJS.ProcessEnv, maxBuffer: 2 ** 26 };
  await writeFile(env.COMMANDS!, '');
  const { stdout } = await promisify(execFile)('bash', ['-c', `${prelude}${expected}${code}`], options).catch(
    ({ stdout, stderr }) => Promise.reject(new Error(`${code}\n${stdout}\n${stderr}`)),
  );
  const commands = (await readFile(env.COMMANDS!, 'utf8')).split('\0\n\0').slice(0, -1);
  for (const command of commands.filter((text) => !text.startsWith('login\0'))) {
    const args = command.split('\0');
    expect({ args, ...(await runCli(args, env, { cwd: here.folder })) }).toMatchObject({ code: 0 });
  }
  return stdout;
}
