/** Messages about invalid settings: the name, the expected value, and the actual one. */
import { readConfig } from '../../../src/platform/config/config.ts';
import { settings } from '../../../src/platform/config/settings.ts';

const good = { NODE_ENV: 'test', ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

function problem(set: Record<string, string>): string {
  try {
    readConfig({ ...good, ...set });
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

test.each([
  ['PORT', 'abc', 'PORT must be a whole number from 0 to 65535, not abc'],
  ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535, not 80.5'],
  ['PORT', '1e99', 'PORT must be a whole number from 0 to 65535, not 1e99'],
  ['DATABASE_POOL_SIZE', '0', 'DATABASE_POOL_SIZE must be a whole number from 1 to 1000, not 0'],
  ['QUOTA_PEOPLE', 'many', 'QUOTA_PEOPLE must be a whole number of 0 or more, not many'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not 2'],
  ['REQUIRE_HTTPS', 'yes', 'REQUIRE_HTTPS must be true or false, not yes'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not loud'],
  ['BASE_URL', 'people', 'BASE_URL must be a URL such as https://people.example.com, not people'],
  ['CLAMD_URL', 'http://x', 'CLAMD_URL must be an address such as tcp://127.0.0.1:3310, not http://x'],
  ['DATABASE_URL', 'mysql://me:secret@x', 'DATABASE_URL must start with postgres:// or postgresql://'],
  ['ENCRYPTION_KEY', '', 'ENCRYPTION_KEY: required; create one with `openssl rand -base64 32`'],
  ['ENCRYPTION_KEY', 'secret', 'ENCRYPTION_KEY must be 32 bytes in base64'],
  ['STORAGE_URL', 's3://key:100%@bucket', 'STORAGE_URL must have % as %25 in key, secret, and prefix'],
  ['STORAGE_URL', 's3://bucket/50%-off', 'STORAGE_URL must have % as %25 in key, secret, and prefix'],
  ['STORAGE_URL', 's3://bucket?path_style=yes', 'STORAGE_URL: path_style must be true or false'],
  ['SMTP_URL', 'smtp://mail:99999', 'SMTP_URL must be a URL such as smtps://user:password@mail.example.com'],
  ['SMTP_URL', 'smtp://', 'SMTP_URL must be a URL such as smtps://user:password@mail.example.com'],
  ['MAIL_FROM', 'People', 'MAIL_FROM must be a sender such as People <people@example.com>, not People'],
  ['MAIL_FROM', '<a@b>, <c@d>', 'MAIL_FROM must be a sender such as People <people@example.com>, not <a@b>, <c@d>'],
  ['DNS_SERVERS', '192.0.2.1:0', 'DNS_SERVERS must be IP addresses with commas between them'],
  ['DNS_SERVERS', '192.0.2', 'DNS_SERVERS must be IP addresses with commas between them'],
  ['JOB_LEASE_S', '2', 'JOB_LEASE_S must be longer than WORKER_UPKEEP_MS'],
  ['WORKER_POLL_MS', '2147483647', 'WORKER_POLL_MS must be a whole number from 50 to 86400000, not 2147483647'],
  [
    'DATABASE_CONNECTION_LIFETIME_S',
    '31536000',
    'DATABASE_CONNECTION_LIFETIME_S must be a whole number from 1 to 86400, not 31536000',
  ],
])('rejects %s=%s', (name, value, message) => {
  expect(problem({ [name]: value })).toBe(`invalid configuration: ${message}`);
});

test.each([
  ['MAIL_FROM', 'people@example.com'],
  ['MAIL_FROM', '"Verde, S.A." <people@example.com>'],
  ['MAIL_FROM', 'People @ Verde <people@example.com>'],
  ['DNS_SERVERS', '192.0.2.1,[2001:db8::1]:5353,2001:db8::2'],
  ['STORAGE_URL', 's3://key:100%25@bucket/50%25-off?path_style=false'],
])('accepts %s=%s', (name, value) => {
  expect(problem({ [name]: value })).toBe('none');
});

test.each(['https://people.example:443', 'HTTPS://People.Example/'])('spells %s as browsers do', (url) => {
  expect(readConfig({ ...good, BASE_URL: url }).base_url).toBe('https://people.example');
});

test('timers and session settings fit into 32 bits with the longest durations', () => {
  const names = Object.keys(settings.shape).filter(
    (name) => /_(MS|S)$/.test(name) && name !== 'DATABASE_SOCKET_TIMEOUT_MS',
  );
  const longest = (name: string) => {
    const [, most] = /from \d+ to (\d+)/.exec(problem({ [name]: '2147483648' })) ?? [];
    return Number(most) * (name.endsWith('_S') ? 1_000 : 1);
  };
  // Timers have up to a quarter of jitter; one is doubled.
  expect(names.filter((name) => !(longest(name) <= 2 ** 30))).toEqual([]);
});

test('a blank value is none, not 0', () => {
  const { port, quotas } = readConfig({ ...good, PORT: ' ', QUOTA_PEOPLE: '\t' });
  expect([port, quotas.people]).toEqual([8080, 2_000_000]);
});

test('names each invalid setting once', () => {
  expect(problem({ PORT: '-1.5', METRICS_PORT: 'x' })).toMatch(
    /^invalid configuration: PORT must [^;]+; METRICS_PORT must [^;]+$/,
  );
});

test('never shows a message of the validation library', () => {
  for (const name of Object.keys(settings.shape)) {
    for (const value of ['\u0000', '-1.5', 'x y', ','])
      expect(problem({ [name]: value })).not.toMatch(/Invalid|expected|NaN|Too (big|small)/);
  }
});
