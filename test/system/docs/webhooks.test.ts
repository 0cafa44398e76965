/** The guide for receivers: its code equals the files, each of which accepts genuine requests only. */
import { execFile, execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verify } from '../../../docs/webhooks/verify.ts';
import { verifyBody } from '../../../docs/webhooks/verify-body.ts';
import { newWebhookSecret, signatures } from '../../../src/product/webhooks/subscriptions/signatures.ts';
import { header, type Received, receiver } from '../../helpers/network/receiver.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../docs/webhooks', import.meta.url));
const script = join(folder, 'verify.sh');

const secret = newWebhookSecret();
const older = newWebhookSecret();
const other = newWebhookSecret();
const id = '0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46';
const nowS = Math.floor(Date.now() / 1_000);
const body = Buffer.from('{"event":"collaborator.created","data":{"data":{"name":"Zoë %s \\\\ $HOME","a":  1}}}\n');

/** A request, and whether it is genuine. */
interface Case {
  name: string;
  genuine: boolean;
  secret: string;
  headers: Record<string, string>;
  body: Buffer;
  now_s: number;
}

function request(name: string, genuine: boolean, change: Partial<Case> = {}, signedS = nowS, by = [secret]): Case {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(signedS),
    'webhook-signature': signatures(by, id, signedS, body).standard,
  };
  const { headers: changed, ...rest } = change;
  return { name, genuine, secret, body, now_s: nowS, ...rest, headers: { ...headers, ...changed } };
}

const tampered = Buffer.from(body.toString().replace('created', 'deleted'));
const [, digest] = signatures([secret], id, nowS, body).standard.split(',') as [string, string];
const cases: Case[] = [
  request('good', true),
  request('with another body', false, { body: tampered }),
  request('with a body that was read and written again', false, {
    body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))),
  }),
  request('with another id', false, { headers: { 'webhook-id': `${id}0` } }),
  request('with a newer time', false, { headers: { 'webhook-timestamp': String(nowS + 1) } }),
  request('four minutes old', true, {}, nowS - 240),
  request('six minutes old', false, {}, nowS - 360),
  request('six minutes from the future', false, {}, nowS + 360),
  request('rotated, at a receiver with the new secret', true, {}, nowS, [secret, older]),
  request('rotated, at a receiver with the old secret', true, { secret: older }, nowS, [secret, older]),
  request('signed with other secrets', false, {}, nowS, [older, other]),
  request('without a signature', false, { headers: { 'webhook-signature': '' } }),
  request('with an empty signature', false, { headers: { 'webhook-signature': 'v1,' } }),
  request('with a signature of another version', false, { headers: { 'webhook-signature': `v2,${digest}` } }),
  request('with the signature cut short', false, { headers: { 'webhook-signature': `v1,${digest.slice(0, -1)}` } }),
  request('with strange signatures around', true, { headers: { 'webhook-signature': `é v1,* v1a,x  v1,${digest}` } }),
  request('without a time', false, { headers: { 'webhook-timestamp': '' } }),
  request('with a time that is no number', false, { headers: { 'webhook-timestamp': `${nowS}x` } }),
  request('with a time that is endless', false, { headers: { 'webhook-timestamp': '9'.repeat(40) } }),
  {
    ...request('the example of the contract', true),
    secret: 'whsec_bHkjtt5gJcm2g2Dr9XOnUPSDKEAV6FaY3kfMYWG7vXo=',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': '1772442901',
      'webhook-signature': 'v1,62ASkZlub2sS85SvkFFzWVyq1Z4ugURMPbei7uMNZEI=',
    },
    body: Buffer.from(
      '{"event":"webhook.test","timestamp":"2026-03-02T09:15:01.204Z","data":{"event_type":"WebhookTest","timestamp":"2026-03-02T09:15:01.150Z"}}',
    ),
    now_s: 1772442910,
  },
];

/** The cases for other languages, as JSON. */
const input = JSON.stringify(cases.map(({ body, ...rest }) => ({ ...rest, body: body.toString('base64') })));

/** The verdicts of a program as a JSON array of booleans. */
async function runVerifier(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const running = run(program, args, options);
  running.child.stdin!.end(input);
  return JSON.parse((await running).stdout) as boolean[];
}

const python = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from verify import verify
cases = json.load(sys.stdin)
print(json.dumps([verify(c["secret"], c["headers"], base64.b64decode(c["body"]), c["now_s"]) for c in cases]))`;

const php = `
require $argv[1];
$ask = fn ($c) => verify($c['secret'], $c['headers'], base64_decode($c['body']), $c['now_s']);
echo json_encode(array_map($ask, json_decode(file_get_contents('php://stdin'), true)));`;

const go = `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"

	"receiver/webhooks"
)

func main() {
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    []byte
		Now_s   int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, c := range cases {
		headers := http.Header{}
		for name, value := range c.Headers {
			headers.Set(name, value)
		}
		verdicts = append(verdicts, webhooks.Verify(c.Secret, headers, c.Body, time.Unix(c.Now_s, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;

async function runGo(): Promise<boolean[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'webhooks-go-'));
  try {
    await writeFile(join(cwd, 'go.mod'), 'module receiver\n\ngo 1.19\n');
    await writeFile(join(cwd, 'main.go'), go);
    await cp(join(folder, 'verify.go'), join(cwd, 'webhooks', 'verify.go'));
    return await runVerifier('go', ['run', '.'], {
      cwd,
      env: { ...process.env, CGO_ENABLED: '0', GOPROXY: 'off', GOTOOLCHAIN: 'local', GOWORK: 'off' },
    });
  } finally {
    await rm(cwd, { recursive: true });
  }
}

async function runShell(): Promise<boolean[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'webhooks-sh-'));
  try {
    const verdicts: boolean[] = [];
    for (const { secret, headers, body, now_s: nowS } of cases) {
      const file = join(cwd, 'body');
      await writeFile(file, body);
      const values = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]!);
      const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, NOW: String(nowS) };
      const outcome = await run('sh', [script, 'verify', ...values, file], { env }).catch((error) => error);
      verdicts.push(outcome.stdout === 'valid\n' && outcome.code === undefined);
      if (outcome.stdout !== 'valid\n') expect(outcome).toMatchObject({ stdout: 'invalid\n', stderr: '', code: 1 });
    }
    return verdicts;
  } finally {
    await rm(cwd, { recursive: true });
  }
}

/** Each language: how to detect it, and how to run it. */
const languages: [file: string, programs: string[][], runVerifier: () => boolean[] | Promise<boolean[]>][] = [
  ['verify.ts', [], () => cases.map(({ secret, headers, body, now_s: nowS }) => verify(secret, headers, body, nowS))],
  ['verify.py', [['python3', '--version']], () => runVerifier('python3', ['-c', python, folder])],
  ['verify.php', [['php', '--version']], () => runVerifier('php', ['-r', php, join(folder, 'verify.php')])],
  ['verify.go', [['go', 'version']], runGo],
  [
    'verify.sh',
    [
      ['sh', '-c', ':'],
      ['openssl', 'version'],
    ],
    runShell,
  ],
];

const isThere = ([program, ...args]: string[]) => {
  try {
    execFileSync(program!, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const canRun = new Set(languages.filter(([, programs]) => programs.every(isThere)).map(([file]) => file));

beforeAll(() => {
  const missing = languages.map(([file]) => file).filter((file) => !canRun.has(file));
  const without = missing.length > 0 ? `; not on this machine: ${missing.join(', ')}` : '';
  process.stderr.write(`    run: ${[...canRun].join(', ')}${without}\n`);
});

for (const [file, , runVerifier] of languages.filter(([name]) => canRun.has(name))) {
  test(`${file} accepts genuine requests only`, async () => {
    const verdicts = await runVerifier();
    const outcome = cases.map(({ name }, i) => [name, verdicts[i]]);
    expect(outcome).toEqual(cases.map(({ name, genuine }) => [name, genuine]));
  });
}

test('verify-body.ts verifies by the body alone, with either secret during a rotation', () => {
  const now = new Date().toISOString();
  const encoded = Buffer.from(JSON.stringify({ event: 'webhook.test', timestamp: now, data: { timestamp: now } }));
  const { hex } = signatures([secret, older], id, nowS, encoded);
  const accepts = (secrets: string[], changed = encoded, nowMs = Date.now()) =>
    verifyBody(secrets, hex, changed, nowMs);
  expect([accepts([older]), accepts([secret, older]), accepts([secret]), accepts([other])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(accepts([older], Buffer.from(encoded.toString().replace('test', 'text')))).toBe(false);
  expect([accepts([older], encoded, Date.now() + 240_000), accepts([older], encoded, Date.now() + 360_000)]).toEqual([
    true,
    false,
  ]);
  expect(verifyBody([older], '', encoded)).toBe(false);
});

const canSend = canRun.has('verify.sh') && isThere(['curl', '--version']);
describe.each(canSend ? ['verify.sh send'] : [])('%s', () => {
  async function sent(...args: string[]): Promise<Received> {
    const target = await receiver();
    try {
      const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret };
      expect((await run('sh', [script, 'send', target.url, ...args], { env })).stdout).toBe('204\n');
      return target.requests[0]!;
    } finally {
      await target.close();
    }
  }
  const isGenuine = (request: Received) => {
    const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    return verify(secret, headers, request.body);
  };

  test('sends a genuine test event', async () => {
    const request = await sent();
    expect(isGenuine(request)).toBe(true);
    expect(header(request, 'content-type')).toBe('application/json');
    expect(JSON.parse(request.body.toString())).toMatchObject({
      event: 'webhook.test',
      data: { event_type: 'WebhookTest' },
    });
  });

  test('sends a file byte for byte', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'webhooks-send-'));
    await writeFile(join(cwd, 'body'), body);
    const request = await sent(join(cwd, 'body'));
    await rm(cwd, { recursive: true });
    expect(request.body.equals(body)).toBe(true);
    expect(isGenuine(request)).toBe(true);
  });
});

describe('the pages', () => {
  const page = async () =>
    (await Promise.all(['README.md', 'signatures.md'].map((name) => readFile(join(folder, name), 'utf8')))).join('\n');

  test('show each file unchanged', async () => {
    const files = (await readdir(folder)).filter((file) => file.startsWith('verify'));
    expect(files.sort()).toEqual([...languages.map(([file]) => file), 'verify-body.ts'].sort());
    const blocks = [...(await page()).matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code]) => code);
    for (const file of files) expect(blocks).toContain(await readFile(join(folder, file), 'utf8'));
  });

  test('have a correctly signed example request', async () => {
    const text = await page();
    const sample = /^```http\n(.*?)\n\n(.*?)\n```$/ms.exec(text)!;
    const named = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(sample[1]!)![1]!;
    const sampleSecret = /whsec_[A-Za-z0-9+/]{43}=/.exec(text)![0];
    const sampleBody = Buffer.from(sample[2]!);
    const { hex, standard } = signatures(
      [sampleSecret],
      named('webhook-id'),
      Number(named('webhook-timestamp')),
      sampleBody,
    );
    expect([named('X-Webhook-Signature'), named('webhook-signature')]).toEqual([hex, standard]);
    expect(createHmac('sha256', sampleSecret).update(sampleBody).digest('hex')).toBe(hex);
    const documentedTime = /\(`now_s`, or `NOW` in\s+the\s+shell\):\s+(\d+)\./.exec(text)?.[1];
    expect(documentedTime).toBe(named('webhook-timestamp'));
  });

  test('name only operations of the contract', async () => {
    const { contract } = await import('../../../src/contract/contract.ts');
    const named = [...(await page()).matchAll(/`(GET|POST) (\/v1\/[^`? ]*)/g)].map(([, method, path]) => [
      method,
      path,
    ]);
    expect(named.length).toBeGreaterThan(5);
    const unknown = named.filter(([method, path]) => !contract.paths[path!]?.[method!.toLowerCase() as 'get']);
    expect(unknown).toEqual([]);
  });
});
