/** Runs the commands from the console that try the guide's code, with a request as the service signs it. */
import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Code, trial } from '../../../packages/console/src/screens/webhooks/trial.ts';
import { newWebhookSecret, signatures } from '../../../src/product/webhooks/subscriptions/signatures.ts';

const run = promisify(execFile);
const docs = fileURLToPath(new URL('../../../docs/webhooks/', import.meta.url));
const secret = newWebhookSecret();
const id = '0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46';
const timestamp = '1772442901'; // an old one
const body =
  '{"event":"collaborator.created","data":{"data":{"name":"Zoë O\'Hara \\\\ \\" $HOME %s \\u2028 😀 `id`","a":  1}}}\n';
const signature = signatures([secret], id, Number(timestamp), Buffer.from(body)).standard;

const programs = {
  typescript: ['verify.ts', 'try.ts', [process.execPath, 'try.ts'], 'true'],
  python: ['verify.py', 'try.py', ['python3', 'try.py'], 'True'],
  php: ['verify.php', 'try.php', ['php', 'try.php'], 'bool(true)'],
  shell: ['verify.sh', 'try.sh', ['sh', 'try.sh'], 'valid'],
} as const satisfies Partial<Record<Code, unknown>>;

const isHere = (program: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

const all = Object.keys(programs) as (keyof typeof programs)[];
const tried = all.filter((language) => isHere(programs[language][2][0]));
afterAll(() => {
  const missing = all.filter((language) => !tried.includes(language));
  if (missing.length > 0)
    process.stdout.write(`    not tried, because their programs are not on this machine: ${missing.join(', ')}\n`);
});

describe.each(tried)('%s', (language) => {
  const [code, file, [program, ...args], valid] = programs[language];

  test('distinguishes a valid request from a modified one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trial-'));
    await copyFile(join(docs, code), join(folder, code));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const selfTest = async (sent: Partial<Parameters<typeof trial>[1]>) => {
      await writeFile(join(folder, file), trial(language, { id, timestamp, signature, body, secret, ...sent }));
      // A shell script exits with 1 if the last line rejects the request.
      const { stdout } = await run(program, [...args], { cwd: folder }).catch((error) => error as { stdout: string });
      return stdout.trim();
    };
    expect(await selfTest({})).toBe(valid);
    expect(await selfTest({ body: body.replace('created', 'deleted') })).not.toBe(valid);
    expect(await selfTest({ secret: newWebhookSecret() })).not.toBe(valid);
  });
});
