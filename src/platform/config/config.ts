/** Reads the environment, as the only file: one typed, validated object, made from the settings in `settings.ts`. */
import { join } from 'node:path';
import { z } from 'zod';
import type { LocalSettings, S3Settings } from '../files/storage.ts';
import type { TracingSettings } from '../observe/span.ts';
import { deriveKey, type EncryptionKeys } from '../secrets/secrets.ts';
import { ConfigError } from './config-error.ts';
import { withSecretFiles } from './secret-files.ts';
import { settings } from './settings.ts';
import { findUnsafeSettings, type UnsafeSetting } from './unsafe-settings.ts';

/** The variables of this process, for who hands them on with something filled in. */
export const processEnvironment: Record<string, string | undefined> = process.env;

/** Characters of a value that are shown. */
const longest_shown = 100;

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads and checks the settings.
 * @param environment defaults to the process's own
 * @throws ConfigError naming every setting that is wrong
 */
export function readConfig(environment = processEnvironment) {
  const set = Object.fromEntries(Object.entries(filled(environment)).filter(([, value]) => value !== ''));
  const production = (set.NODE_ENV ?? 'production') === 'production';
  const unsafe = production ? findUnsafeSettings(set, settingsWith('required_in_production')) : [];
  const parsed = settings.safeParse(set);
  if (!parsed.success) throw badSettings(set, parsed.error.issues, unsafe);
  const env = parsed.data;
  if (production && !env.ENCRYPTION_KEY) throw refusal(unsafe, env.ACCEPT_UNSAFE_SETTINGS ?? []);
  const encryption_keys: EncryptionKeys = keysOf(env);
  return Object.freeze({
    production,
    /** What this should not be started with, see `refuseUnsafeSettings`. */
    unsafe,
    accepted_unsafe: env.ACCEPT_UNSAFE_SETTINGS ?? [],
    host: env.HOST,
    port: env.PORT,
    base_url: env.BASE_URL?.replace(/\/+$/, ''),
    database: databaseOf(env),
    data_dir: env.DATA_DIR,
    encryption_keys,
    storage: storageOf(env),
    encrypts_files: env.STORAGE_ENCRYPTION === 'true',
    file_keys: env.FILE_KEYS ?? encryption_keys.map((key) => deriveKey(key, 'file-links')),
    clamd: clamdOf(env),
    log_level: env.LOG_LEVEL,
    trust_proxy: env.TRUST_PROXY,
    require_https: env.REQUIRE_HTTPS ? env.REQUIRE_HTTPS === 'true' : production,
    tls: env.TLS_CERT && env.TLS_KEY ? { cert_file: env.TLS_CERT, key_file: env.TLS_KEY } : undefined,
    smtp_url: env.SMTP_URL,
    mail_from: env.MAIL_FROM,
    mails_per_day: env.MAILS_PER_DAY,
    app_url: env.APP_URL,
    limits: signInLimitsOf(env),
    rate_limits_per_min: requestLimitsOf(env),
    quotas: quotasOf(env),
    rate_limit_client_factor: env.RATE_LIMIT_CLIENT_FACTOR,
    worker: {
      concurrency: env.WORKER_CONCURRENCY,
      poll_ms: env.WORKER_POLL_MS,
      upkeep_ms: env.WORKER_UPKEEP_MS,
      job_lease_s: env.JOB_LEASE_S,
      import_lease_s: env.IMPORT_LEASE_S,
    },
    exports: { lease_s: env.EXPORT_LEASE_S, pause_s: env.EXPORT_PAUSE_S },
    slow: { request_ms: env.LOG_SLOW_REQUEST_MS, query_ms: env.LOG_SLOW_QUERY_MS },
    audit_retention_days: env.AUDIT_RETENTION_DAYS,
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT, failing_webhooks: env.METRICS_FAILING_WEBHOOKS },
    tracing: tracingOf(env),
    webhooks: {
      allow_private: env.WEBHOOK_ALLOW_PRIVATE === 'true',
      timeout_ms: env.WEBHOOK_TIMEOUT_MS,
      grace_ms: env.WEBHOOK_GRACE_MS,
      test_wait_ms: env.WEBHOOK_TEST_WAIT_MS,
      in_flight: env.WEBHOOKS_IN_FLIGHT,
      in_flight_per_subscription: env.WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION,
    },
    retention: { deleted_collaborators_days: env.RETENTION_DELETED_COLLABORATORS_DAYS },
    max_body_bytes: env.MAX_BODY_BYTES,
    http: httpOf(env),
    access_token_lifetime_s: env.ACCESS_TOKEN_LIFETIME_S,
    token_cache_entries: env.TOKEN_CACHE_ENTRIES,
    shutdown_delay_ms: env.SHUTDOWN_DELAY_MS,
    shutdown_timeout_ms: env.SHUTDOWN_TIMEOUT_MS,
  });
}

/**
 * @param names those that count for what is to be done; default all
 * @returns what was accepted, for the log
 * @throws ConfigError that lists everything that is not
 */
export function refuseUnsafeSettings(
  { unsafe, accepted_unsafe }: Pick<Config, 'unsafe' | 'accepted_unsafe'>,
  names?: readonly string[],
): UnsafeSetting[] {
  const counting = unsafe.filter(({ name }) => !names || names.includes(name));
  const isAccepted = ({ name }: UnsafeSetting) => (accepted_unsafe as readonly string[]).includes(name);
  if (!counting.every(isAccepted)) throw refusal(counting, accepted_unsafe);
  return counting;
}

/** In production with everything else that stands in the way of a start. */
function badSettings(
  set: Readonly<Record<string, string | undefined>>,
  issues: z.core.$ZodIssue[],
  unsafe: readonly UnsafeSetting[],
): ConfigError {
  const secrets = settingsWith('secret');
  const faults = issues.map(({ path, code, message }) => {
    const name = String(path[0]);
    // Who wrote a message of their own has shown what is worth showing.
    const shown = code === 'custom' || secrets.includes(name) ? '' : `, not ${set[name]!.slice(0, longest_shown)}`;
    return { name, why: message + shown };
  });
  const problems = faults.filter(({ name }, i) => faults.findIndex((first) => first.name === name) === i);
  const others = unsafe.filter(({ name }) => !problems.some((problem) => problem.name === name));
  const lines = [...problems, ...others].map(({ name, why }) =>
    why.startsWith('must') ? `${name} ${why}` : `${name}: ${why}`,
  );
  return new ConfigError(`bad configuration: ${lines.join('; ')}`);
}

function refusal(unsafe: readonly UnsafeSetting[], accepted: readonly string[]): ConfigError {
  const refused = unsafe.filter(({ name }) => !accepted.includes(name));
  const lines = refused.map(({ name, why }) => `- ${name}: ${why}`);
  const advice =
    'Set NODE_ENV=development to try the service out. Who must start it like this all the same names the settings in ' +
    'ACCEPT_UNSAFE_SETTINGS (keys can not be named): see docs/operations/deployment.md.';
  return new ConfigError(`bad configuration for production:\n${lines.join('\n')}\n${advice}`);
}

type Settings = z.infer<typeof settings>;

/** @throws ConfigError for settings that do not go together */
function keysOf(env: Settings): EncryptionKeys {
  if (!env.ENCRYPTION_KEY) {
    throw new ConfigError('bad configuration: ENCRYPTION_KEY: required; make one with `openssl rand -base64 32`');
  }
  if (Boolean(env.TLS_CERT) !== Boolean(env.TLS_KEY)) {
    throw new ConfigError('bad configuration: TLS_CERT and TLS_KEY belong together: set both, or neither');
  }
  if (env.DATABASE_POOLER !== 'none' && !(env.DATABASE_URL && env.DATABASE_DIRECT_URL)) {
    throw new ConfigError('bad configuration: DATABASE_POOLER: needs DATABASE_URL and DATABASE_DIRECT_URL');
  }
  return env.ENCRYPTION_KEY;
}

function quotasOf(env: Settings) {
  return {
    people: env.QUOTA_PEOPLE,
    storage_bytes: env.QUOTA_STORAGE_MB * 1024 * 1024,
    open_imports: env.QUOTA_OPEN_IMPORTS,
    open_exports: env.QUOTA_OPEN_EXPORTS,
    import_errors: env.QUOTA_IMPORT_ERRORS,
    waiting_deliveries: env.QUOTA_WAITING_DELIVERIES,
  };
}

function databaseOf(env: Settings) {
  return {
    url: env.DATABASE_URL,
    direct_url: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    replica: env.DATABASE_REPLICA_URL
      ? { url: env.DATABASE_REPLICA_URL, wait_ms: env.DATABASE_REPLICA_WAIT_MS }
      : undefined,
    pooled: env.DATABASE_POOLER === 'transaction',
    prepared_statements: env.DATABASE_PREPARED_STATEMENTS
      ? env.DATABASE_PREPARED_STATEMENTS === 'true'
      : env.DATABASE_POOLER === 'none',
    pipelining: env.DATABASE_PIPELINING === 'on',
    owner_url: env.DATABASE_OWNER_URL,
    pool_size: env.DATABASE_POOL_SIZE,
    connection_lifetime_s: env.DATABASE_CONNECTION_LIFETIME_S,
    connect_timeout_ms: env.DATABASE_CONNECT_TIMEOUT_MS,
    max_waiting: env.DATABASE_POOL_WAITING,
    statement_timeout_ms: env.DATABASE_STATEMENT_TIMEOUT_MS,
    socket_timeout_ms: socketTimeoutOf(env),
    lock_timeout_ms: env.DATABASE_LOCK_TIMEOUT_MS,
    idle_transaction_timeout_ms: env.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
  };
}

/** How long after the server's own limit an answer may come. */
const answer_delay_ms = 2_000;

/** @throws ConfigError when connections would be cut whose statements may still run */
function socketTimeoutOf(env: Settings): number {
  const { DATABASE_STATEMENT_TIMEOUT_MS, DATABASE_SOCKET_TIMEOUT_MS } = env;
  if (DATABASE_SOCKET_TIMEOUT_MS === undefined) return DATABASE_STATEMENT_TIMEOUT_MS + answer_delay_ms;
  if (DATABASE_SOCKET_TIMEOUT_MS > DATABASE_STATEMENT_TIMEOUT_MS) return DATABASE_SOCKET_TIMEOUT_MS;
  throw new ConfigError(
    'bad configuration: DATABASE_SOCKET_TIMEOUT_MS must be longer than DATABASE_STATEMENT_TIMEOUT_MS',
  );
}

function httpOf(env: Settings) {
  return {
    max_url_bytes: env.MAX_URL_BYTES,
    max_header_bytes: env.MAX_HEADER_BYTES,
    max_headers: env.MAX_HEADERS,
    max_connections: env.MAX_CONNECTIONS,
    max_connections_per_address: env.MAX_CONNECTIONS_PER_ADDRESS,
    max_requests_in_flight: env.MAX_REQUESTS_IN_FLIGHT,
    headers_timeout_ms: env.HEADERS_TIMEOUT_MS,
    request_timeout_ms: env.REQUEST_TIMEOUT_MS,
    keep_alive_timeout_ms: env.KEEP_ALIVE_TIMEOUT_MS,
    socket_timeout_ms: env.SOCKET_TIMEOUT_MS,
    download_stall_timeout_ms: env.DOWNLOAD_STALL_TIMEOUT_MS,
  };
}

function signInLimitsOf(env: Settings) {
  return {
    sign_in_failures_per_address_per_min: env.SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN,
    sign_in_failures_per_account: env.SIGN_IN_FAILURES_PER_ACCOUNT,
    sign_in_failures_window_s: env.SIGN_IN_FAILURES_WINDOW_S,
    sign_in_longest_wait_s: env.SIGN_IN_LONGEST_WAIT_S,
    authorization_requests_per_address_per_min: env.AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN,
    token_requests_per_min: env.TOKEN_REQUESTS_PER_MIN,
    token_requests_per_address_per_min: env.TOKEN_REQUESTS_PER_ADDRESS_PER_MIN,
    profile_requests_per_min: env.PROFILE_REQUESTS_PER_MIN,
    password_reset_requests_per_address_per_min: env.PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN,
  };
}

function requestLimitsOf(env: Settings) {
  return {
    default: env.RATE_LIMIT_REQUESTS_PER_MIN,
    writes: env.RATE_LIMIT_WRITES_PER_MIN,
    uploads: env.RATE_LIMIT_UPLOADS_PER_MIN,
    heavy: env.RATE_LIMIT_HEAVY_PER_MIN,
  };
}

/** With what secret files hold. */
function filled(environment: Record<string, string | undefined>) {
  try {
    return withSecretFiles(environment, settingsWith('secret'));
  } catch (error) {
    throw new ConfigError(`bad configuration: ${(error as Error).message}`);
  }
}

/** The settings that are marked so. */
function settingsWith(mark: 'secret' | 'required_in_production'): string[] {
  const entries = Object.entries(settings.shape);
  return entries.filter(([, schema]) => z.globalRegistry.get(schema)?.[mark]).map(([name]) => name);
}

function storageOf(env: Settings): LocalSettings | S3Settings {
  const storage = env.STORAGE_URL ?? { kind: 'local', folder: join(env.DATA_DIR, 'files') };
  if (storage.kind === 's3' && env.STORAGE_ENCRYPTION === 'true') {
    throw new ConfigError(
      'bad configuration: STORAGE_ENCRYPTION is for files in a folder: a bucket encrypts by itself',
    );
  }
  if (storage.kind === 'local') return storage;
  return { ...storage, redirect: env.STORAGE_REDIRECT === 'true', silence_ms: env.STORAGE_TIMEOUT_MS };
}

function tracingOf(env: Settings): TracingSettings | undefined {
  const below = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (below && `${below}/v1/traces`);
  if (!url || env.OTEL_SDK_DISABLED === 'true') return undefined;
  return {
    url,
    service_name: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER.replace('parentbased_', '') as TracingSettings['sampler'],
    parent_based: env.OTEL_TRACES_SAMPLER.startsWith('parentbased_'),
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

function clamdOf(env: Settings) {
  const url = env.CLAMD_URL && URL.parse(env.CLAMD_URL);
  if (!url) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || 3310, timeout_ms: env.CLAMD_TIMEOUT_MS };
}
