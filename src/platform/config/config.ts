/** Parses the environment into one validated object, by `settings.ts`. No other file reads the environment. */
import { join } from 'node:path';
import { z } from 'zod';
import type { LocalSettings, S3Settings } from '../files/store/storage.ts';
import type { TracingSettings } from '../observe/span.ts';
import { deriveKey, type EncryptionKeys } from '../secrets/secrets.ts';
import { ConfigError } from './config-error.ts';
import { withSecretFiles } from './secret-files.ts';
import { settings } from './settings.ts';
import { findUnknownSettings } from './unknown-settings.ts';
import { findUnsafeSettings, type UnsafeSetting } from './unsafe-settings.ts';

/** The variables of this process, for code that passes them on with defaults added. */
export const processEnvironment: Record<string, string | undefined> = process.env;

/** How many characters of a value an error shows. */
const maxExcerptChars = 100;

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigError naming every invalid setting */
export function readConfig(environment = processEnvironment) {
  const set = Object.fromEntries(Object.entries(filled(environment)).filter(([, value]) => value?.trim() !== ''));
  const production = (set.NODE_ENV ?? 'production') === 'production';
  const unsafe = production ? findUnsafeSettings(set, settingsWith('required_in_production')) : [];
  const parsed = settings.safeParse(set);
  if (!parsed.success) throw badSettings(set, parsed.error.issues, unsafe);
  const env = parsed.data;
  if (production && !env.ENCRYPTION_KEY) throw refusal(unsafe, env.ACCEPT_UNSAFE_SETTINGS ?? []);
  const encryptionKeys: EncryptionKeys = keysOf(env);
  return Object.freeze({
    production,
    /** Reasons to refuse startup, see `refuseUnsafeSettings`. */
    unsafe,
    /** Variables without effect that look like settings. */
    unknown: findUnknownSettings(Object.keys(set), [
      ...Object.keys(settings.shape),
      ...settingsWith('secret').map((name) => `${name}_FILE`),
    ]),
    accepted_unsafe: env.ACCEPT_UNSAFE_SETTINGS ?? [],
    host: env.HOST,
    port: env.PORT,
    /** Normalized like an origin in a browser: lowercase, and without the default port. */
    base_url: env.BASE_URL && new URL(env.BASE_URL).origin,
    database: databaseOf(env),
    dataDir: env.DATA_DIR,
    encryption_keys: encryptionKeys,
    storage: storageOf(env),
    encryptsFiles: env.STORAGE_ENCRYPTION === 'true',
    fileKeys: env.FILE_KEYS ?? encryptionKeys.map((key) => deriveKey(key, 'file-links')),
    clamd: clamdOf(env),
    log_level: env.LOG_LEVEL,
    trust_proxy: env.TRUST_PROXY,
    require_https: env.REQUIRE_HTTPS ? env.REQUIRE_HTTPS === 'true' : production,
    tls: env.TLS_CERT && env.TLS_KEY ? { certFile: env.TLS_CERT, keyFile: env.TLS_KEY } : undefined,
    smtp_url: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    mailsPerDay: env.MAILS_PER_DAY,
    app_url: env.APP_URL,
    limits: signInLimitsOf(env),
    rateLimitsPerMin: requestLimitsOf(env),
    quotas: quotasOf(env),
    rateLimitClientFactor: env.RATE_LIMIT_CLIENT_FACTOR,
    worker: workerOf(env),
    exports: { leaseS: env.EXPORT_LEASE_S, pauseS: env.EXPORT_PAUSE_S },
    slow: { requestMs: env.LOG_SLOW_REQUEST_MS, queryMs: env.LOG_SLOW_QUERY_MS },
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT, failingWebhooks: env.METRICS_FAILING_WEBHOOKS },
    tracing: tracingOf(env),
    webhooks: {
      allow_private: env.WEBHOOK_ALLOW_PRIVATE === 'true',
      timeout_ms: env.WEBHOOK_TIMEOUT_MS,
      graceMs: env.WEBHOOK_GRACE_MS,
      testWaitMs: env.WEBHOOK_TEST_WAIT_MS,
      inFlight: env.WEBHOOKS_IN_FLIGHT,
      inFlightPerSubscription: env.WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION,
    },
    dnsServers: env.DNS_SERVERS?.split(','),
    retention: { deletedCollaboratorsDays: env.RETENTION_DELETED_COLLABORATORS_DAYS },
    max_body_bytes: env.MAX_BODY_BYTES,
    http: httpOf(env),
    accessTokenLifetimeS: env.ACCESS_TOKEN_LIFETIME_S,
    token_cache_entries: env.TOKEN_CACHE_ENTRIES,
    shutdownDelayMs: env.SHUTDOWN_DELAY_MS,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_MS,
  });
}

/**
 * @param names the settings to check; default: all
 * @throws ConfigError listing every setting that isn't accepted
 */
export function refuseUnsafeSettings(
  { unsafe, accepted_unsafe: acceptedUnsafe }: Pick<Config, 'unsafe' | 'accepted_unsafe'>,
  names?: readonly string[],
): UnsafeSetting[] {
  const counting = unsafe.filter(({ name }) => !names || names.includes(name));
  const isAccepted = ({ name }: UnsafeSetting) => (acceptedUnsafe as readonly string[]).includes(name);
  if (!counting.every(isAccepted)) throw refusal(counting, acceptedUnsafe);
  return counting;
}

/** In production, also lists everything else that prevents startup. */
function badSettings(
  set: Readonly<Record<string, string | undefined>>,
  issues: z.core.$ZodIssue[],
  unsafe: readonly UnsafeSetting[],
): ConfigError {
  const secrets = settingsWith('secret');
  const errors = issues.map(({ path, code, message }) => {
    const name = String(path[0]);
    // Custom messages already show the value as far as it is useful.
    const excerpt = code === 'custom' || secrets.includes(name) ? '' : `, not ${set[name]!.slice(0, maxExcerptChars)}`;
    return { name, why: message + excerpt };
  });
  const problems = errors.filter(({ name }, i) => errors.findIndex((first) => first.name === name) === i);
  const accepted = set.ACCEPT_UNSAFE_SETTINGS?.split(',').map((name) => name.trim());
  const others = unsafe.filter(({ name }) => !accepted?.includes(name) && problems.every((each) => each.name !== name));
  const lines = [...problems, ...others].map(({ name, why }) =>
    why.startsWith('must') ? `${name} ${why}` : `${name}: ${why}`,
  );
  return new ConfigError(`invalid configuration: ${lines.join('; ')}`);
}

function refusal(unsafe: readonly UnsafeSetting[], accepted: readonly string[]): ConfigError {
  const refused = unsafe.filter(({ name }) => !accepted.includes(name));
  const lines = refused.map(({ name, why }) => `- ${name}: ${why}`);
  const advice =
    'Set NODE_ENV=development to try the service out. To start it anyway, list the settings in ' +
    'ACCEPT_UNSAFE_SETTINGS (except keys): see docs/operations/deployment.md.';
  return new ConfigError(`invalid configuration for production:\n${lines.join('\n')}\n${advice}`);
}

type Settings = z.infer<typeof settings>;

/** @throws ConfigError for settings that contradict each other */
function keysOf(env: Settings): EncryptionKeys {
  if (!env.ENCRYPTION_KEY) {
    throw new ConfigError('invalid configuration: ENCRYPTION_KEY: required; create one with `openssl rand -base64 32`');
  }
  if (Boolean(env.TLS_CERT) !== Boolean(env.TLS_KEY)) {
    throw new ConfigError('invalid configuration: TLS_CERT and TLS_KEY belong together: set both, or neither');
  }
  if (env.DATABASE_POOLER !== 'none' && !(env.DATABASE_URL && env.DATABASE_DIRECT_URL)) {
    throw new ConfigError('invalid configuration: DATABASE_POOLER: needs DATABASE_URL and DATABASE_DIRECT_URL');
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
    directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    replica: env.DATABASE_REPLICA_URL
      ? { url: env.DATABASE_REPLICA_URL, waitMs: env.DATABASE_REPLICA_WAIT_MS }
      : undefined,
    pooled: env.DATABASE_POOLER === 'transaction',
    preparedStatements: env.DATABASE_PREPARED_STATEMENTS
      ? env.DATABASE_PREPARED_STATEMENTS === 'true'
      : env.DATABASE_POOLER === 'none',
    pipelining: env.DATABASE_PIPELINING === 'on',
    ownerUrl: env.DATABASE_OWNER_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    connectionLifetimeS: env.DATABASE_CONNECTION_LIFETIME_S,
    connectTimeoutMs: env.DATABASE_CONNECT_TIMEOUT_MS,
    maxWaiting: env.DATABASE_POOL_WAITING,
    statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT_MS,
    socketTimeoutMs: socketTimeoutOf(env),
    lockTimeoutMs: env.DATABASE_LOCK_TIMEOUT_MS,
    idleTransactionTimeoutMs: env.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
  };
}

/** Added to the statement timeout for the response to arrive. */
const responseDelayMs = 2_000;

/** @throws ConfigError if connections would be cut while statements may still run */
function socketTimeoutOf(env: Settings): number {
  const { DATABASE_STATEMENT_TIMEOUT_MS, DATABASE_SOCKET_TIMEOUT_MS } = env;
  if (DATABASE_SOCKET_TIMEOUT_MS === undefined) return DATABASE_STATEMENT_TIMEOUT_MS + responseDelayMs;
  if (DATABASE_SOCKET_TIMEOUT_MS > DATABASE_STATEMENT_TIMEOUT_MS) return DATABASE_SOCKET_TIMEOUT_MS;
  throw new ConfigError(
    'invalid configuration: DATABASE_SOCKET_TIMEOUT_MS must be longer than DATABASE_STATEMENT_TIMEOUT_MS',
  );
}

/** @throws ConfigError if workers would count as dead between two heartbeats, and their jobs run twice */
function workerOf(env: Settings) {
  if (env.JOB_LEASE_S * 1_000 <= env.WORKER_UPKEEP_MS) {
    throw new ConfigError('invalid configuration: JOB_LEASE_S must be longer than WORKER_UPKEEP_MS');
  }
  return {
    concurrency: env.WORKER_CONCURRENCY,
    poll_ms: env.WORKER_POLL_MS,
    upkeepMs: env.WORKER_UPKEEP_MS,
    job_lease_s: env.JOB_LEASE_S,
    importLeaseS: env.IMPORT_LEASE_S,
  };
}

function httpOf(env: Settings) {
  return {
    max_url_bytes: env.MAX_URL_BYTES,
    maxHeaderBytes: env.MAX_HEADER_BYTES,
    max_headers: env.MAX_HEADERS,
    max_connections: env.MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
    maxRequestsInFlight: env.MAX_REQUESTS_IN_FLIGHT,
    headersTimeoutMs: env.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: env.KEEP_ALIVE_TIMEOUT_MS,
    socketTimeoutMs: env.SOCKET_TIMEOUT_MS,
    downloadStallTimeoutMs: env.DOWNLOAD_STALL_TIMEOUT_MS,
  };
}

function signInLimitsOf(env: Settings) {
  return {
    signInFailuresPerAddressPerMin: env.SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN,
    signInFailuresPerAccount: env.SIGN_IN_FAILURES_PER_ACCOUNT,
    signInFailuresWindowS: env.SIGN_IN_FAILURES_WINDOW_S,
    signInLongestWaitS: env.SIGN_IN_LONGEST_WAIT_S,
    authorizationRequestsPerAddressPerMin: env.AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN,
    tokenRequestsPerMin: env.TOKEN_REQUESTS_PER_MIN,
    tokenRequestsPerAddressPerMin: env.TOKEN_REQUESTS_PER_ADDRESS_PER_MIN,
    profileRequestsPerMin: env.PROFILE_REQUESTS_PER_MIN,
    passwordResetRequestsPerAddressPerMin: env.PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN,
  };
}

function requestLimitsOf(env: Settings) {
  return {
    default: env.RATE_LIMIT_REQUESTS_PER_MIN,
    writes: env.RATE_LIMIT_WRITES_PER_MIN,
    uploads: env.RATE_LIMIT_UPLOADS_PER_MIN,
    heavy: env.RATE_LIMIT_HEAVY_PER_MIN,
    directory: env.RATE_LIMIT_DIRECTORY_PER_MIN,
  };
}

/** Adds the contents of secret files. */
function filled(environment: Record<string, string | undefined>) {
  try {
    return withSecretFiles(environment, settingsWith('secret'));
  } catch (error) {
    throw new ConfigError(`invalid configuration: ${(error as Error).message}`);
  }
}

function settingsWith(mark: 'secret' | 'required_in_production'): string[] {
  const entries = Object.entries(settings.shape);
  return entries.filter(([, schema]) => z.globalRegistry.get(schema)?.[mark]).map(([name]) => name);
}

function storageOf(env: Settings): LocalSettings | S3Settings {
  const storage = env.STORAGE_URL ?? { kind: 'local', folder: join(env.DATA_DIR, 'files') };
  if (storage.kind === 's3' && env.STORAGE_ENCRYPTION === 'true') {
    throw new ConfigError(
      'invalid configuration: STORAGE_ENCRYPTION only applies to files in a folder: buckets have their own encryption',
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
    parentBased: env.OTEL_TRACES_SAMPLER.startsWith('parentbased_'),
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

function clamdOf(env: Settings) {
  const url = env.CLAMD_URL && URL.parse(env.CLAMD_URL);
  if (!url) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || 3310, timeout_ms: env.CLAMD_TIMEOUT_MS };
}
