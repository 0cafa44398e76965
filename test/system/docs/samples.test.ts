/** The guides are correct: samples run as printed, and JSON matches the contract. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { guides } from '../../../src/api/docs/guide-list.ts';
import { contract } from '../../../src/contract/contract.ts';
import { referenceClientId } from '../../../src/identity/clients/reference-client.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

const run = promisify(execFile);
let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await testApp();
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
});

afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

const sources = ['guides/README.md', ...guides.map(({ source }) => source)];

async function samplesOf(source: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../docs/${source}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, code]) =>
    found === language ? [code!] : [],
  );
}

/** Runs a sample with code appended that prints its result as JSON. */
async function outcome(name: string, code: string): Promise<unknown> {
  const file = join(folder, `${name}.ts`);
  await writeFile(file, code);
  const { base_url: baseUrl, company_id: companyId, admin } = app;
  const env = {
    PATH: process.env.PATH,
    BASE_URL: baseUrl,
    COMPANY_ID: companyId,
    TOKEN: admin.token,
    CLIENT_ID: referenceClientId,
  };
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', file], { env });
  return JSON.parse(stdout);
}

test('reads a list to its end', async () => {
  const [everyone] = await samplesOf('guides/pagination.md', 'ts');
  const print = 'console.log(JSON.stringify((await Array.fromAsync(everyone())).map(({ name }) => name).sort()));';
  // One per page, so that there are several pages.
  const code = `${everyone!.replace("'100'", "'1'")}\n${print}`;
  expect(await outcome('everyone', code)).toEqual(['Clara Sousa', 'Mariana Duarte', 'Rui Almeida', 'Tomás Rocha']);
});

test('repeats a request that runs once', async () => {
  const [sendSafely] = await samplesOf('guides/errors.md', 'ts');
  const body = { name: 'Inês Prata', email: 'ines@example.com', position: 'Planner', department: 'Operations' };
  const code = `${sendSafely}
    // The first response gets lost.
    const real = globalThis.fetch;
    let sent = 0;
    globalThis.fetch = async (...request: Parameters<typeof fetch>) => {
      const answer = await real(...request);
      if (++sent === 1) throw new TypeError('fetch failed');
      return answer;
    };
    const answer = await sendSafely(process.env.BASE_URL + '/v1/collaborators', {
      method: 'POST',
      headers: {
        Authorization: 'Bearer ' + process.env.TOKEN,
        'X-Company-Id': process.env.COMPANY_ID!,
        'Content-Type': 'application/json',
      },
      body: ${JSON.stringify(JSON.stringify(body))},
    });
    console.log(JSON.stringify([sent, answer.status, answer.headers.get('Idempotency-Replayed')]));`;
  expect(await outcome('send-safely', code)).toEqual([2, 201, 'true']);
  const { body: found } = await app.admin.get('/v1/collaborators?search=ines');
  expect(found.meta.total).toBe(1);
});

test('the sign-in URL leads to the sign-in page', async () => {
  const [address] = await samplesOf('guides/authentication.md', 'ts');
  const own = `${app.base_url}/docs/signed-in`;
  const code = `${address!.replace('https://app.example.com/callback', own)}\nconsole.log(JSON.stringify(address));`;
  const response = await fetch((await outcome('sign-in', code)) as string, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toMatch(/^\/oauth\/interaction\//);
});

test.each(sources)('the JSON in %s is valid, and names existing error codes', async (source) => {
  const codes = contract.components.schemas.ErrorCode!.enum as string[];
  for (const sample of await samplesOf(source, 'json')) {
    const { error } = JSON.parse(sample) as { error?: string };
    if (error !== undefined) expect(codes).toContain(error);
  }
});

test('explains every scope, and no others', async () => {
  const text = await readFile(new URL('../../../docs/guides/permissions.md', import.meta.url), 'utf8');
  const table = text.slice(text.indexOf('## Scopes'), text.indexOf('## Operations'));
  const explained = [...table.matchAll(/^\| `([a-z_]+(?::[a-z]+)?)` \|/gm)].map(([, scope]) => scope);
  const { oauth2 } = contract.components.securitySchemes as {
    oauth2: { flows: { authorizationCode: { scopes: Record<string, string> } } };
  };
  expect(explained.sort()).toEqual(Object.keys(oauth2.flows.authorizationCode.scopes).sort());
});
