/** Every setting with its schema and description. `make generate` creates docs/operations/settings.md from it. */
import { isIP } from 'node:net';
import { z } from 'zod';
import {
  choice,
  count,
  flag,
  httpUrl,
  milliseconds,
  required,
  seconds,
  secret,
  secretKeys,
  wholeNumber,
} from './setting-kinds.ts';
import { databaseSettings } from './settings-database.ts';
import { quotaSettings } from './settings-quotas.ts';
import { safetySettings } from './settings-safety.ts';
import { storageUrl } from './storage-url.ts';
import { trustedProxies } from './trusted-proxies.ts';

/** Checks the port too, because Node aborts the process for an invalid one. */
function isNameServer(text: string): boolean {
  const { address = text, port = '53' } = /^(?<address>\d[\d.]+|\[.+\])(:(?<port>\d+))?$/.exec(text)?.groups ?? {};
  return isIP(address.replace(/^\[(.*)\]$/, '$1')) !== 0 && Number(port) >= 1 && Number(port) <= 65_535;
}

const from0To1 = 'must be a number from 0 to 1';

export const settings = z.object({
  NODE_ENV: choice(['production', 'development', 'test'])
    .default('production')
    .describe('`development` and `test` check every response against the contract and allow plain HTTP'),
  ...safetySettings,
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` in a container'),
  PORT: count(8080, 0, 65535).describe('Port to listen on; 0 picks a free one'),
  BASE_URL: httpUrl
    .refine((text) => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`, { message: 'must not have a path' })
    .optional()
    .meta(required)
    .describe('Public URL of the service, without a path. Default: `http://HOST:PORT`, or https with TLS_CERT'),
  ...databaseSettings,
  DATA_DIR: z.string().default('.data').describe('Folder for the embedded database and other local data'),
  ENCRYPTION_KEY: secretKeys
    .optional()
    .meta({ ...required, ...secret })
    .describe(
      '32 bytes in base64 (`openssl rand -base64 32`) to encrypt keys and sessions at rest. During a rotation, several separated by commas: the first one encrypts, all of them decrypt',
    ),
  STORAGE_URL: storageUrl
    .optional()
    .meta(secret)
    .describe(
      'File storage: `file:` and a folder, or `s3://key:secret@bucket/prefix?region=…&endpoint=https://…&path_style=true` (key and secret percent-encoded; without them, credentials are found as by the AWS SDK). Default: the folder DATA_DIR/files',
    ),
  STORAGE_REDIRECT: flag.default('false').describe('Redirect downloads to presigned URLs of the S3 store'),
  STORAGE_TIMEOUT_MS: milliseconds(30_000, 100).describe(
    'How long the S3 store may stay silent before a request gets 503. A transfer may take longer while data is moving',
  ),
  STORAGE_ENCRYPTION: flag
    .default('false')
    .describe(
      'Encrypt new files in the folder of STORAGE_URL with ENCRYPTION_KEY (`secrets rotate` encrypts existing ones). Not for S3, which has its own encryption',
    ),
  FILE_KEYS: secretKeys
    .optional()
    .meta(secret)
    .describe(
      'Keys that sign links to files: 32 bytes in base64 each, separated by commas. The first one signs, all of them verify. To rotate, add a new key in front, and remove the old one 25 hours later. Default: derived from ENCRYPTION_KEY',
    ),
  CLAMD_URL: z
    .url({ protocol: /^tcp$/, error: 'must be an address such as tcp://127.0.0.1:3310' })
    .refine((text) => Boolean(URL.parse(text)?.hostname), { message: 'must name a host' })
    .optional()
    .describe(
      'clamd server that scans every document before it is accepted, as `tcp://host:3310`. Without it, files are not scanned',
    ),
  CLAMD_TIMEOUT_MS: milliseconds(30_000).describe('Maximum duration of a scan; without a result, the upload gets 503'),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level to log'),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses or subnets, `loopback`, `linklocal`, or `uniquelocal`, separated by commas. Without it, these headers are ignored',
    ),
  TLS_CERT: z
    .string()
    .optional()
    .describe('Certificate file (PEM, with its chain) for HTTPS without a proxy, reloaded on SIGHUP. Requires TLS_KEY'),
  TLS_KEY: z.string().optional().describe('Private key file of TLS_CERT (PEM)'),
  REQUIRE_HTTPS: flag
    .optional()
    .describe('Reject plain HTTP with 403. Default: `true` in production, otherwise `false`'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, { error: 'must start with smtp:// or smtps://', abort: true })
    .refine(
      (text) => Boolean(URL.parse(text)?.hostname),
      'must be a URL such as smtps://user:password@mail.example.com',
    )
    .optional()
    .meta({ ...required, ...secret })
    .describe('Mail server, with user and password. Without it, emails are saved as files in DATA_DIR/outbox'),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must be a sender such as People <people@example.com>',
    )
    .default('People <people@localhost>')
    .meta(required)
    .describe('Sender of all emails'),
  MAILS_PER_DAY: count(500).describe(
    'Maximum emails per company and day (UTC): invitations, and notices to its admins. Beyond 20, they are sent one per second',
  ),
  APP_URL: httpUrl
    .optional()
    .describe(
      'Where people continue after accepting an invitation or setting a new password: the URL of your app. Default: the console',
    ),
  SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: count(20).describe(
    'Failed sign-ins per IP address and minute (IPv6: per /64 network, and ten times as many per /48)',
  ),
  SIGN_IN_FAILURES_PER_ACCOUNT: count(10).describe(
    'Failed sign-ins per account within SIGN_IN_FAILURES_WINDOW_S before it must wait. Each device that has signed in before has its own count',
  ),
  SIGN_IN_FAILURES_WINDOW_S: seconds(900).describe('How long failed sign-ins of an account count; also its first wait'),
  SIGN_IN_LONGEST_WAIT_S: seconds(14_400).describe(
    'Maximum wait of an account. Each further wait within a day is twice as long',
  ),
  AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN: count(60).describe(
    'Requests to /oauth/authorize per IP address and minute',
  ),
  TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: count(120).describe(
    'Requests to /oauth/token per IP address and minute, of all clients',
  ),
  PROFILE_REQUESTS_PER_MIN: count(60).describe('Requests to /auth/user per user and minute'),
  TOKEN_REQUESTS_PER_MIN: count(30).describe('Requests to /oauth/token per client, IP address, and minute'),
  PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN: count(10).describe('Password reset requests per IP address and minute'),
  RATE_LIMIT_REQUESTS_PER_MIN: count(300).describe('Requests per user, client, company, and minute'),
  RATE_LIMIT_WRITES_PER_MIN: count(120).describe(
    'Requests other than GET and HEAD per user, client, company, and minute',
  ),
  RATE_LIMIT_UPLOADS_PER_MIN: count(30).describe('File uploads per user, client, company, and minute'),
  RATE_LIMIT_HEAVY_PER_MIN: count(10).describe(
    'Imports, exports, and bulk requests per user, client, company, and minute',
  ),
  RATE_LIMIT_DIRECTORY_PER_MIN: count(18_000).describe(
    'SCIM requests per directory and minute. A first synchronization of 10,000 people takes 20,000 requests',
  ),
  RATE_LIMIT_CLIENT_FACTOR: count(10, 1, 1_000).describe(
    'Limit for all users of a client together in one company, as a multiple of each limit per user',
  ),
  ...quotaSettings,
  WORKER_CONCURRENCY: count(10, 1, 200).describe('Concurrent jobs per worker process'),
  WORKER_POLL_MS: milliseconds(1_000, 50).describe(
    'How often a worker polls for due jobs, and for jobs and events whose notification was lost',
  ),
  WORKER_UPKEEP_MS: milliseconds(2_000, 50).describe(
    'Interval of worker heartbeats and of the search for work that dead processes left behind, which at most two workers perform',
  ),
  JOB_LEASE_S: seconds(120).describe(
    'How long a worker may miss heartbeats before it counts as dead and its jobs run again. Must be longer than WORKER_UPKEEP_MS',
  ),
  IMPORT_LEASE_S: seconds(30).describe(
    'How long a worker that runs an import may miss heartbeats before another worker continues the import',
  ),
  EXPORT_LEASE_S: seconds(60).describe(
    'How long a process that creates an export may miss heartbeats before a worker restarts the export',
  ),
  EXPORT_PAUSE_S: seconds(5).describe(
    'Delay before an export is retried after its first failure, doubled after the second',
  ),
  WEBHOOK_ALLOW_PRIVATE: flag
    .default('false')
    .describe(
      'Allow private addresses and plain HTTP for webhooks and identity providers, for development with local ones',
    ),
  DNS_SERVERS: z
    .string()
    .refine((text) => text.split(',').every(isNameServer), { error: 'must be IP addresses with commas between them' })
    .optional()
    .describe(
      "Name servers for the TXT records of email domains, instead of the system's: IP addresses separated by commas, with a port if it isn't 53",
    ),
  WEBHOOK_TIMEOUT_MS: count(30_000, 100, 30_000).describe(
    'Maximum duration of a webhook request, including the response',
  ),
  WEBHOOK_TEST_WAIT_MS: count(12_000, 100, 20_000).describe(
    'How long a webhook test with `wait=true` waits for its result',
  ),
  WEBHOOK_GRACE_MS: milliseconds(15_000, 100).describe(
    'How long a worker tries to record an attempt while the database is unavailable, before the attempt is repeated',
  ),
  WEBHOOKS_IN_FLIGHT: count(500, 1, 10_000).describe(
    'Concurrent webhook requests per worker process. Each of its 100 turns may send ten in any case',
  ),
  WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: count(100, 1, 1_000).describe(
    'Concurrent webhook requests per subscription while its endpoint responds well; otherwise 20',
  ),
  AUDIT_RETENTION_DAYS: count(400, 90, 36_500).describe(
    'Retention of audit log entries. The database refuses to delete any younger than 90 days',
  ),
  LOG_SLOW_REQUEST_MS: milliseconds(1_000).describe('Requests that take longer are logged as a warning, with `slow`'),
  LOG_SLOW_QUERY_MS: milliseconds(500).describe(
    'Statements that take longer are logged, with their text but without values',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that serves /metrics'),
  METRICS_PORT: wholeNumber(0, 65535)
    .optional()
    .describe('Port of /metrics for Prometheus; 0 picks a free one. Without it, there are no metrics'),
  METRICS_FAILING_WEBHOOKS: wholeNumber(0, 100)
    .default(10)
    .describe('How many of the most failing webhooks /metrics lists, with their ID and company ID; 0 for none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('OTLP/HTTP endpoint for traces, sent to its path `/v1/traces`. Without it, tracing is off'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional().describe('The same as a full URL'),
  OTEL_SDK_DISABLED: flag.default('false').describe('Turn tracing off, whatever else is set'),
  OTEL_SERVICE_NAME: z.string().default('collaborator-api').describe('Name of this service in traces'),
  OTEL_TRACES_SAMPLER: choice([
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ])
    .default('parentbased_always_on')
    .describe("Which requests to trace. `parentbased` samplers follow the request's `traceparent`, if it has one"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: from0To1 })
    .min(0, { error: from0To1 })
    .max(1, { error: from0To1 })
    .default(1)
    .describe('Share of new traces to keep with `traceidratio`, from 0 to 1'),
  RETENTION_DELETED_COLLABORATORS_DAYS: wholeNumber(30, 36_500)
    .optional()
    .describe(
      'Days until deleted people are permanently erased, at least 30. Default: never, because the law of your country may require employers to keep records',
    ),
  MAX_BODY_BYTES: count(1_048_576).describe('Maximum size of a JSON or form body'),
  MAX_URL_BYTES: count(8_192).describe('Maximum length of a URL with its query; longer ones get 414'),
  MAX_HEADER_BYTES: count(16_384, 1_024).describe(
    'Maximum size of the URL and all headers of a request; larger ones get 431',
  ),
  MAX_HEADERS: count(100, 10, 1_000).describe('Maximum header lines of a request; more get 431'),
  MAX_CONNECTIONS: count(10_000).describe('Maximum client connections per process; more are closed immediately'),
  MAX_CONNECTIONS_PER_ADDRESS: count(1_000).describe(
    'Maximum connections per IP address, or IPv6 network (/64), and process. Addresses in TRUST_PROXY have no such limit',
  ),
  MAX_REQUESTS_IN_FLIGHT: count(1_000).describe('Maximum concurrent requests per process; more get 503'),
  HEADERS_TIMEOUT_MS: milliseconds(15_000).describe('Maximum time to receive the headers of a request'),
  REQUEST_TIMEOUT_MS: milliseconds(120_000).describe('Maximum time to receive a whole request'),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(65_000).describe(
    'How long an idle connection stays open. Must be longer than the keep-alive of the proxy, often 60 s',
  ),
  SOCKET_TIMEOUT_MS: milliseconds(120_000).describe(
    'Maximum time without traffic in either direction on a connection with a request',
  ),
  DOWNLOAD_STALL_TIMEOUT_MS: milliseconds(30_000).describe(
    'Maximum time for a client to read the next 64 KiB of a file before its connection is closed',
  ),
  ACCESS_TOKEN_LIFETIME_S: seconds(3_600).describe('Lifetime of an access token'),
  TOKEN_CACHE_ENTRIES: count(10_000, 0).describe(
    "Verified access tokens that a process caches, with their users' memberships; 0 turns the cache off",
  ),
  SHUTDOWN_DELAY_MS: milliseconds(0, 0).describe(
    'How long connections are still accepted after SIGTERM, while /readyz returns 503, so that every proxy notices',
  ),
  SHUTDOWN_TIMEOUT_MS: milliseconds(30_000).describe('How long in-flight requests may take after SHUTDOWN_DELAY_MS'),
});
