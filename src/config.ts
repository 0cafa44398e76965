/**
 * The only reader of the environment: one typed, validated object. Every setting has its description here, with the
 * unit as the last word of its name, so that this table is also the documentation of the settings.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LocalSettings, S3Settings } from './files/storage.ts';
import { deriveKey } from './secrets.ts';

const count = (fallback: number, minimum = 1, maximum = 2_147_483_647) =>
  z.coerce.number().int().min(minimum).max(maximum).default(fallback);

/** A 32-byte key, in base64. */
const secretKey = z
  .base64()
  .refine((value) => Buffer.from(value, 'base64').length === 32, { message: 'must be 32 bytes in base64' });

/** `s3://bucket/prefix?region=…`, or `file:` and a folder. */
const storageUrl = z.string().transform((text, context) => {
  const storage = readStorageUrl(text);
  if (typeof storage !== 'string') return storage;
  context.addIssue({ code: 'custom', message: storage });
  return z.NEVER;
});

const settings = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('`development` and `test` check every response against the contract and allow plain HTTP'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` in a container'),
  PORT: count(8080, 0, 65535).describe('Port to listen on; 0 picks a free one'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .refine((text) => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`, { message: 'must not have a path' })
    .optional()
    .describe('Public address of the service, without a path; default `http://HOST:PORT`'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('Postgres 15 or later; without it an embedded Postgres 18 runs in DATA_DIR (development only)'),
  DATABASE_POOL_SIZE: count(10, 1, 1000).describe('Connections to Postgres that one process holds at most'),
  DATABASE_CONNECT_TIMEOUT_MS: count(5_000).describe('How long a request waits for a database connection'),
  DATABASE_STATEMENT_TIMEOUT_MS: count(15_000).describe('Longest time one statement may run'),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database and other local data'),
  ENCRYPTION_KEY: secretKey
    .optional()
    .describe(
      '32 bytes in base64 (`openssl rand -base64 32`): encrypts keys and sessions at rest. Required in production',
    ),
  STORAGE_URL: storageUrl
    .optional()
    .describe(
      'Where files are kept: `file:` and a folder, or `s3://key:secret@bucket/prefix?region=…&endpoint=https://…&path_style=true` ' +
        "(without key and secret, which are percent-encoded, as Amazon's SDK finds them); default the folder DATA_DIR/files",
    ),
  STORAGE_REDIRECT: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Let clients fetch files from the S3 store itself, by redirects to pre-signed addresses'),
  FILE_KEYS: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(secretKey).min(1))
    .optional()
    .describe(
      'Keys that links to files are signed with: 32 bytes in base64 each, with commas between; the first signs, all are ' +
        'accepted. To rotate, put a new one in front and remove the old one a day later. Default: made from ENCRYPTION_KEY',
    ),
  CLAMD_URL: z
    .url({ protocol: /^tcp$/ })
    .refine((text) => Boolean(URL.parse(text)?.hostname), { message: 'must name a host' })
    .optional()
    .describe(
      'clamd that scans every document before it is accepted, as `tcp://host:3310`; without it none is scanned',
    ),
  CLAMD_TIMEOUT_MS: count(30_000).describe(
    'How long one scan may take; without a verdict the upload is refused with 503',
  ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe level that is logged'),
  TRUST_PROXY: z
    .string()
    .optional()
    .describe('Proxies whose X-Forwarded-* headers count: a comma list of addresses, subnets or `loopback`'),
  REQUIRE_HTTPS: z
    .enum(['true', 'false'])
    .optional()
    .describe('Refuse plain HTTP with 403; default `true` in production, else `false`'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional()
    .describe('Mail server, with user and password in it; without it mails are kept as files in DATA_DIR/outbox'),
  MAIL_FROM: z.string().default('People <people@localhost>').describe('Sender of every mail'),
  APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where people go on to after they accepted an invitation or chose a new password: the app they work with',
    ),
  SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: count(20).describe('Failed sign-ins from one network address in a minute'),
  SIGN_IN_FAILURES_PER_ACCOUNT: count(10).describe(
    'Failed sign-ins of one account within SIGN_IN_FAILURES_WINDOW_S, after which it has to wait',
  ),
  SIGN_IN_FAILURES_WINDOW_S: count(900).describe('How long failures of an account count, and its first wait'),
  SIGN_IN_LONGEST_WAIT_S: count(14_400).describe(
    'Longest wait of an account; each within a day doubles the one before',
  ),
  TOKEN_REQUESTS_PER_MIN: count(30).describe('Requests to /oauth/token of one client from one address in a minute'),
  PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN: count(10).describe(
    'How often “Forgot your password?” is answered for one network address in a minute',
  ),
  RATE_LIMIT_REQUESTS_PER_MIN: count(300).describe('Requests of one client to one company in a minute, of any kind'),
  RATE_LIMIT_WRITES_PER_MIN: count(120).describe(
    'Requests of one client to one company in a minute that are not GET or HEAD',
  ),
  RATE_LIMIT_UPLOADS_PER_MIN: count(30).describe(
    'Requests of one client to one company in a minute that upload a file',
  ),
  RATE_LIMIT_HEAVY_PER_MIN: count(10).describe(
    'Requests of one client to one company in a minute that import, export or change many records at once',
  ),
  WORKER_CONCURRENCY: count(10, 1, 200).describe('Jobs that one worker process runs at the same time'),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Let webhooks go to private addresses and by plain HTTP: for development, where receivers are local'),
  WEBHOOK_TIMEOUT_MS: count(30_000, 100, 30_000).describe('How long one webhook request may take, with its answer'),
  WEBHOOKS_IN_FLIGHT: count(500, 1, 10_000).describe('Webhook requests that one worker process makes at the same time'),
  WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: count(100, 1, 1_000).describe(
    'Webhook requests to one subscription at the same time, while its receiver answers well; 20 while it does not',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address on which /metrics is answered'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('Port of /metrics, for Prometheus; 0 picks a free one, without it there is none'),
  MAX_BODY_BYTES: count(1_048_576).describe('Largest JSON or form body'),
  ACCESS_TOKEN_LIFETIME_S: count(3_600).describe('Lifetime of an access token'),
  TOKEN_CACHE_ENTRIES: count(10_000).describe('Verified access tokens remembered by one process'),
  SHUTDOWN_TIMEOUT_MS: count(30_000).describe('How long in-flight requests may take after SIGTERM'),
});

/** The variables of this process, for who hands them on with something filled in. */
export const processEnvironment: Record<string, string | undefined> = process.env;

export type Config = ReturnType<typeof readConfig>;

/** A setting that can't be used; its message is one line that names the setting. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads and checks the settings.
 * @param environment defaults to the process's own
 * @throws ConfigError naming every setting that is wrong
 */
export function readConfig(environment = processEnvironment) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(set);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`bad configuration: ${problems.join('; ')}`);
  }
  const env = parsed.data;
  const production = env.NODE_ENV === 'production';
  if (!env.ENCRYPTION_KEY) {
    throw new ConfigError('bad configuration: ENCRYPTION_KEY: required; make one with `openssl rand -base64 32`');
  }
  return Object.freeze({
    production,
    host: env.HOST,
    port: env.PORT,
    base_url: env.BASE_URL?.replace(/\/+$/, ''),
    database: {
      url: env.DATABASE_URL,
      pool_size: env.DATABASE_POOL_SIZE,
      connect_timeout_ms: env.DATABASE_CONNECT_TIMEOUT_MS,
      statement_timeout_ms: env.DATABASE_STATEMENT_TIMEOUT_MS,
    },
    data_dir: env.DATA_DIR,
    encryption_key: Buffer.from(env.ENCRYPTION_KEY, 'base64'),
    storage: storageOf(env),
    file_keys: env.FILE_KEYS?.map((key) => Buffer.from(key, 'base64')) ?? [
      deriveKey(Buffer.from(env.ENCRYPTION_KEY, 'base64'), 'file-links'),
    ],
    clamd: clamdOf(env),
    log_level: env.LOG_LEVEL,
    trust_proxy: env.TRUST_PROXY,
    require_https: env.REQUIRE_HTTPS ? env.REQUIRE_HTTPS === 'true' : production,
    smtp_url: env.SMTP_URL,
    mail_from: env.MAIL_FROM,
    app_url: env.APP_URL,
    limits: {
      sign_in_failures_per_address_per_min: env.SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN,
      sign_in_failures_per_account: env.SIGN_IN_FAILURES_PER_ACCOUNT,
      sign_in_failures_window_s: env.SIGN_IN_FAILURES_WINDOW_S,
      sign_in_longest_wait_s: env.SIGN_IN_LONGEST_WAIT_S,
      token_requests_per_min: env.TOKEN_REQUESTS_PER_MIN,
      password_reset_requests_per_address_per_min: env.PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN,
    },
    rate_limits_per_min: {
      default: env.RATE_LIMIT_REQUESTS_PER_MIN,
      writes: env.RATE_LIMIT_WRITES_PER_MIN,
      uploads: env.RATE_LIMIT_UPLOADS_PER_MIN,
      heavy: env.RATE_LIMIT_HEAVY_PER_MIN,
    },
    worker_concurrency: env.WORKER_CONCURRENCY,
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT },
    webhooks: {
      allow_private: env.WEBHOOK_ALLOW_PRIVATE === 'true',
      timeout_ms: env.WEBHOOK_TIMEOUT_MS,
      in_flight: env.WEBHOOKS_IN_FLIGHT,
      in_flight_per_subscription: env.WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION,
    },
    max_body_bytes: env.MAX_BODY_BYTES,
    access_token_lifetime_s: env.ACCESS_TOKEN_LIFETIME_S,
    token_cache_entries: env.TOKEN_CACHE_ENTRIES,
    shutdown_timeout_ms: env.SHUTDOWN_TIMEOUT_MS,
  });
}

/** @returns what is wrong with it, as a sentence, when it can't be used */
function readStorageUrl(text: string): LocalSettings | Omit<S3Settings, 'redirect'> | string {
  if (text.startsWith('file:')) {
    // `file:///srv/files` and `file:files` alike.
    const folder = text.startsWith('file://') ? fileFolder(text) : text.slice('file:'.length);
    return folder ? { kind: 'local', folder } : 'must name a folder behind file:';
  }
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !url.hostname) return 'must start with file: or s3://bucket';
  const unknown = [...url.searchParams.keys()].find((name) => !['region', 'endpoint', 'path_style'].includes(name));
  if (unknown) return `does not know the parameter ${unknown}`;
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return 'endpoint must be an http address';
  if (Boolean(url.username) !== Boolean(url.password)) return 'must have key and secret, or neither';
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, ''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    path_style: url.searchParams.get('path_style') === 'true',
    credentials: url.username
      ? { access_key_id: decodeURIComponent(url.username), secret_access_key: decodeURIComponent(url.password) }
      : undefined,
  };
}

function fileFolder(text: string): string | undefined {
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function storageOf(env: z.infer<typeof settings>): LocalSettings | S3Settings {
  const storage = env.STORAGE_URL ?? { kind: 'local', folder: join(env.DATA_DIR, 'files') };
  return storage.kind === 's3' ? { ...storage, redirect: env.STORAGE_REDIRECT === 'true' } : storage;
}

function clamdOf(env: z.infer<typeof settings>) {
  const url = env.CLAMD_URL && URL.parse(env.CLAMD_URL);
  if (!url) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || 3310, timeout_ms: env.CLAMD_TIMEOUT_MS };
}
