/** Variables that are probably misspelled settings. */
import { randomBytes } from 'node:crypto';
import { readConfig } from '../../../src/platform/config/config.ts';

const base = { NODE_ENV: 'test', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
const unknown = (names: string[]) =>
  readConfig({ ...base, ...Object.fromEntries(names.map((name) => [name, 'x'])) }).unknown;

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
  ['MAIL_FROM_FILE', 'MAIL_FROM'], // isn't a secret
  ['RATE_LIMIT_REQUEST_PER_MIN', 'RATE_LIMIT_REQUESTS_PER_MIN'],
  ['STORAGE_BUKET', undefined],
  ['WEBHOOK_SECRET', undefined],
])('%s is unknown, and similar to %s', (name, similar) => {
  expect(unknown([name])).toEqual([{ name, similar }]);
});

test('settings, and variables of systems and other programs, are not', () => {
  const ofOthers = [
    ...[
      'PATH',
      'HOME',
      'HOSTNAME',
      'HOSTTYPE',
      'USER',
      'SHELL',
      'TERM',
      'PWD',
      'TZ',
      'LANG',
      'LC_ALL',
      'LOGNAME',
      'TMPDIR',
    ],
    ...[
      'NODE_OPTIONS',
      'NODE_PATH',
      'NODE_EXTRA_CA_CERTS',
      'NODE_COMPILE_CACHE',
      'NODE_VERSION',
      'npm_lifecycle_event',
    ],
    ...['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY'],
    ...['PGHOST', 'PGPASSWORD', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'KUBERNETES_SERVICE_HOST', 'INVOCATION_ID'],
    ...['OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'],
    ...['DATABASE_SERVICE_HOST', 'STORAGE_PORT', 'STORAGE_PORT_9000_TCP', 'STORAGE_PORT_9000_TCP_ADDR'],
    ...[
      'DEMO_PASSWORD',
      'DEMO_COMPANY_ID',
      'LAST_PORT',
      'COMPANY',
      'DOMAIN',
      'API_KEY',
      'SERVICE_URL',
      'TEST_STORAGE_URL',
    ],
  ];
  expect(unknown(ofOthers)).toEqual([]);
  expect(readConfig({ ...base, TOKEN_CACHE_ENTRIES: '1', OTEL_SERVICE_NAME: 'x' }).unknown).toEqual([]);
  expect(readConfig({ ...base, DATABSE_URL: '' }).unknown).toEqual([]);
});
