/** Settings that production refuses to start with. */
import { randomBytes } from 'node:crypto';
import { readConfig, refuseUnsafeSettings } from '../../../src/platform/config/config.ts';
import { trustsPublicInternet } from '../../../src/platform/config/trusted-proxies.ts';
import { weakKey } from '../../../src/platform/config/weak-keys.ts';

const key = () => randomBytes(32).toString('base64');
const safe = {
  BASE_URL: 'https://people.example.com',
  DATABASE_URL: 'postgres://people@db/people',
  ENCRYPTION_KEY: key(),
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'People <people@example.com>',
  TRUST_PROXY: '10.244.0.0/16,loopback',
};
const refused = (changes: Record<string, string>, names?: string[]): string[] => {
  try {
    refuseUnsafeSettings(readConfig({ ...safe, ...changes }), names);
    return [];
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    expect(lines[0]).toBe('invalid configuration for production:');
    expect(lines.at(-1)).toContain('ACCEPT_UNSAFE_SETTINGS');
    return lines.slice(1, -1).map((line) => /^- (\w+): \S/.exec(line)![1]!);
  }
};

test('accepts correct settings, whether production is set explicitly or not', () => {
  expect(refused({})).toEqual([]);
  expect(refused({ NODE_ENV: 'production', FILE_KEYS: `${key()},${key()}` })).toEqual([]);
  expect(refused({ ENCRYPTION_KEY: `${key()},${key()}` })).toEqual([]);
});

test.each([
  ['no database', { DATABASE_URL: '' }, 'DATABASE_URL'],
  ['no public address', { BASE_URL: '' }, 'BASE_URL'],
  ['an address with http', { BASE_URL: 'http://people.example.com' }, 'BASE_URL'],
  ['no mail server', { SMTP_URL: '' }, 'SMTP_URL'],
  ['no sender', { MAIL_FROM: '' }, 'MAIL_FROM'],
  ['plain HTTP', { REQUIRE_HTTPS: 'false' }, 'REQUIRE_HTTPS'],
  ['private webhooks', { WEBHOOK_ALLOW_PRIVATE: 'true' }, 'WEBHOOK_ALLOW_PRIVATE'],
  ['no key', { ENCRYPTION_KEY: '' }, 'ENCRYPTION_KEY'],
  ['a key of zeros', { ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }, 'ENCRYPTION_KEY'],
  ['a weak second key', { ENCRYPTION_KEY: `${key()},${Buffer.alloc(32, 'abc').toString('base64')}` }, 'ENCRYPTION_KEY'],
  ['the same key twice', { ENCRYPTION_KEY: `${safe.ENCRYPTION_KEY},${safe.ENCRYPTION_KEY}` }, 'ENCRYPTION_KEY'],
  ['one key for two purposes', { FILE_KEYS: safe.ENCRYPTION_KEY }, 'FILE_KEYS'],
  ['a weak key of files', { FILE_KEYS: Buffer.alloc(32, 1).toString('base64') }, 'FILE_KEYS'],
  ['everybody as a proxy', { TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }, 'TRUST_PROXY'],
] as [string, Record<string, string>, string][])('rejects %s', (_, changes, name) => {
  expect(refused(changes)).toEqual([name]);
  expect(refused({ ...changes, NODE_ENV: 'test', ENCRYPTION_KEY: changes.ENCRYPTION_KEY || key() })).toEqual([]);
});

test('reports everything at once, along with invalid values', () => {
  const all = ['BASE_URL', 'DATABASE_URL', 'ENCRYPTION_KEY', 'MAIL_FROM', 'REQUIRE_HTTPS', 'SMTP_URL'];
  const none = {
    BASE_URL: '',
    DATABASE_URL: '',
    ENCRYPTION_KEY: '',
    MAIL_FROM: '',
    SMTP_URL: '',
    REQUIRE_HTTPS: 'false',
  };
  expect(refused(none).sort()).toEqual(all);
  expect(() => readConfig({ ...safe, ...none, PORT: 'x' })).toThrow(/PORT must .*; .*DATABASE_URL: .*; .*SMTP_URL: /);
});

test('allows and reports what is accepted by name', () => {
  const changes = { SMTP_URL: '', REQUIRE_HTTPS: 'false' };
  expect(refused({ ...changes, ACCEPT_UNSAFE_SETTINGS: 'SMTP_URL' })).toEqual(['REQUIRE_HTTPS']);
  const config = readConfig({ ...safe, ...changes, ACCEPT_UNSAFE_SETTINGS: ' SMTP_URL, REQUIRE_HTTPS,' });
  expect(
    refuseUnsafeSettings(config)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['REQUIRE_HTTPS', 'SMTP_URL']);
  const accepted = { ...safe, SMTP_URL: '', ACCEPT_UNSAFE_SETTINGS: 'MAIL_FROM, SMTP_URL' };
  expect(() => readConfig({ ...accepted, PORT: 'x' })).toThrow(/^invalid configuration: PORT must [^;]*$/);
  for (const name of ['ENCRYPTION_KEY', 'FILE_KEYS', 'all', '*']) {
    expect(() => readConfig({ ...safe, ACCEPT_UNSAFE_SETTINGS: name })).toThrow(/ACCEPT_UNSAFE_SETTINGS must /);
  }
});

test('a command checks only the settings it uses', () => {
  const changes = { SMTP_URL: '', REQUIRE_HTTPS: 'false' };
  expect(refused(changes, ['DATABASE_URL', 'ENCRYPTION_KEY'])).toEqual([]);
  expect(refused({ ...changes, DATABASE_URL: '' }, ['DATABASE_URL', 'ENCRYPTION_KEY'])).toEqual(['DATABASE_URL']);
});

describe('weak keys', () => {
  test.each([
    ['zeros', Buffer.alloc(32)],
    ['a text again and again', Buffer.alloc(32, 'secret')],
    ['half of it again', Buffer.concat([Buffer.alloc(16, 'abcdefgh'), Buffer.alloc(16, 'abcdefgh')])],
    ['a sequence', Buffer.from(Array.from({ length: 32 }, (_, i) => i * 3))],
    ['a sentence', Buffer.from('my very secret Key-0123456789!?x')],
    [
      'a key in hex that was taken for base64',
      Buffer.from(Array.from({ length: 32 }, (_, i) => 'dc7e1f'.charCodeAt(i % 6))),
    ],
  ])('rejects %s', (_, weak) => {
    expect(weak).toHaveLength(32);
    expect(weakKey(weak)).toEqual(expect.any(String));
  });

  test('accepts random keys', () => {
    for (let i = 0; i < 10_000; i++) expect(weakKey(randomBytes(32))).toBeUndefined();
  });
});

describe('trusted proxies', () => {
  test.each([
    '10.0.0.0/8',
    'uniquelocal,loopback',
    '172.16.0.0/12',
    'fd00::/8',
    '104.16.0.0/13,172.64.0.0/13',
    '2400:cb00::/32',
    '203.0.113.7',
    '::ffff:10.0.0.1',
    '::ffff:a00:0/104',
  ])('allows %s', (list) => {
    expect(trustsPublicInternet(list)).toBe(false);
  });

  const sixteenths = Array.from({ length: 16 }, (_, i) => `${i * 16}.0.0.0/4`).join(',');
  test.each([
    '0.0.0.0/1',
    '0.0.0.0/1,128.0.0.0/1',
    '8.0.0.0/7',
    '2000::/3',
    '::/1,8000::/1',
    '::ffff:0.0.0.0/97',
    '::ffff:0:0/96',
    sixteenths,
    '20.0.0.0/9,30.0.0.0/9,40.0.0.0/9',
  ])('rejects %s as too broad', (list) => {
    expect(trustsPublicInternet(list)).toBe(true);
  });
});
