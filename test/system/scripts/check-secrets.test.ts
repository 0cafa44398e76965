import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harmless, secretsIn } from '../../../scripts/supply-chain/secret-patterns.ts';
import { run, temporaryFolder } from '../../helpers/command.ts';

const letters = (count: number) => randomBytes(count).toString('hex').slice(0, count);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

// Generated, because literals would be found in this file.
test.each([
  ['private key', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string],
  ['private key as JWK', JSON.stringify(privateKey.export({ format: 'jwk' }))],
  ['AWS access key', `AKIA${letters(16).toUpperCase()}`],
  ['GitHub token', `ghp_${letters(36)}`],
  ['Slack token', `xoxb-${letters(12)}`],
  ['Stripe key', `sk_live_${letters(24)}`],
  ['npm token', `npm_${letters(36)}`],
  ['encryption key', `ENCRYPTION_KEY=${randomBytes(32).toString('base64')}`],
  ['password in an address', `postgres://app:${letters(12)}@db.internal/app`],
])('finds a %s', (kind, secret) => {
  const found = secretsIn(`one line\nanother: ${secret}\n`);
  expect(found).toMatchObject([{ kind, line: 2 }]);
  expect(harmless(found[0]!.match)).toBe(false);
});

test('ignores examples', () => {
  for (const text of ['smtp://user:password@host', 'postgres://db.example/x', 'https://<user>:<password>@db.example']) {
    expect(secretsIn(text).filter(({ match }) => !harmless(match))).toEqual([]);
  }
});

test('finds what was committed and removed again, and shows only its beginning', async () => {
  const folder = await temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder.path });
  git('init', '-q');
  const secret = `ghp_${letters(36)}`;
  await writeFile(join(folder.path, 'token.txt'), `token: ${secret}\n`);
  git('add', '.');
  git('commit', '-qm', 'one');
  await rm(join(folder.path, 'token.txt'));
  git('commit', '-qam', 'two');
  const { code, stderr, stdout } = await run('scripts/supply-chain/check-secrets.ts', [], {}, { cwd: folder.path });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^token\.txt:1 \([0-9a-f]{10}\): GitHub token ghp_/);
  expect(stderr + stdout).not.toContain(secret);
  await folder.remove();
});

test('finds none in the last commit of this repository', async () => {
  expect(await run('scripts/supply-chain/check-secrets.ts', ['--head'], {})).toMatchObject({ code: 0, stderr: '' });
});
