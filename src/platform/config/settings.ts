/** Every setting with its schema and description. `make generate` creates docs/operations/settings.md from it. */
import { z } from 'zod';
import { choice, count, flag, httpUrl, required, secret, secretKeys, whole } from './setting-kinds.ts';
import { databaseSettings } from './settings-database.ts';
import { quotaSettings } from './settings-quotas.ts';
import { safetySettings } from './settings-safety.ts';
import { storageUrl } from './storage-url.ts';
import { trustedProxies } from './trusted-proxies.ts';

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
    .describe('Public address of the service, without a path; default `http://HOST:PORT`, with TLS_CERT https'),
  ...databaseSettings,
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database and other local data'),
  ENCRYPTION_KEY: secretKeys
    .optional()
    .meta({ ...required, ...secret })
    .describe(
      '32 bytes in base64 (`openssl rand -base64 32`): encrypts keys and sessions at rest. Several, separated by ' +
        'commas, during a rotation: the first encrypts, all decrypt',
    ),
  STORAGE_URL: storageUrl
    .optional()
    .meta(secret)
    .describe(
      'Where files are kept: `file:` and a folder, or `s3://key:secret@bucket/prefix?region=…&endpoint=https://…&path_style=true` ' +
        '(key and secret percent-encoded; without them as the AWS SDK finds credentials); default the folder DATA_DIR/files',
    ),
  STORAGE_REDIRECT: flag
    .default('false')
    .describe('Let clients fetch files from the S3 store itself, by redirects to pre-signed addresses'),
  STORAGE_TIMEOUT_MS: count(30_000, 100).describe(
    'How long the S3 store may be silent, before a request gets 503; a file may take longer as long as some of it moves',
  ),
  STORAGE_ENCRYPTION: flag
    .default('false')
    .describe(
      'Encrypt new files in the folder of STORAGE_URL with ENCRYPTION_KEY (`secrets rotate` encrypts those that are there); ' +
        'not for S3, which encrypts by itself',
    ),
  FILE_KEYS: secretKeys
    .optional()
    .meta(secret)
    .describe(
      'Keys that sign links to files: 32 bytes in base64 each, separated by commas; the first signs, all are accepted. ' +
        'To rotate, add a new one in front and remove the old one a day later. Default: derived from ENCRYPTION_KEY',
    ),
  CLAMD_URL: z
    .url({ protocol: /^tcp$/, error: 'must be an address such as tcp://127.0.0.1:3310' })
    .refine((text) => Boolean(URL.parse(text)?.hostname), { message: 'must name a host' })
    .optional()
    .describe(
      'clamd that scans every document before it is accepted, as `tcp://host:3310`; without it files are not scanned',
    ),
  CLAMD_TIMEOUT_MS: count(30_000).describe(
    'How long one scan may take; without a result the upload is refused with 503',
  ),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses or subnets, separated by commas, ' +
        '`loopback`, `linklocal` or `uniquelocal`; without it these headers are ignored',
    ),
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'File of the certificate (PEM, with its chain) for HTTPS without a proxy; read again on SIGHUP. Needs TLS_KEY',
    ),
  TLS_KEY: z.string().optional().describe('File of the private key that belongs to TLS_CERT (PEM)'),
  REQUIRE_HTTPS: flag.optional().describe('Refuse plain HTTP with 403; default `true` in production, else `false`'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional()
    .meta({ ...required, ...secret })
    .describe('Mail server, with user and password in it; without it mails are kept as files in DATA_DIR/outbox'),
  MAIL_FROM: z.string().default('People <people@localhost>').meta(required).describe('Sender of every mail'),
  MAILS_PER_DAY: count(500).describe(
    'Mails that a company may cause in a day (UTC): invitations, and notices to its admins. More than 20 leave one a second',
  ),
  APP_URL: httpUrl
    .optional()
    .describe(
      'Where people continue after they accepted an invitation or set a new password: the app they use; without it, the console',
    ),
  SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: count(20).describe(
    'Failed sign-ins from one network address in a minute (IPv6: of a /64 network, and ten times as many of a /48)',
  ),
  SIGN_IN_FAILURES_PER_ACCOUNT: count(10).describe(
    'Failed sign-ins of one account within SIGN_IN_FAILURES_WINDOW_S before it has to wait; as many of each device that has signed in to it before',
  ),
  SIGN_IN_FAILURES_WINDOW_S: count(900).describe('How long failed sign-ins of an account count, and its first wait'),
  SIGN_IN_LONGEST_WAIT_S: count(14_400).describe(
    'Longest wait of an account; each further wait within a day is twice as long',
  ),
  AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN: count(60).describe(
    'Requests to /oauth/authorize from one network address in a minute',
  ),
  TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: count(120).describe(
    'Requests to /oauth/token from one network address in a minute, of whatever client',
  ),
  PROFILE_REQUESTS_PER_MIN: count(60).describe('Requests to /auth/user of one user in a minute'),
  TOKEN_REQUESTS_PER_MIN: count(30).describe('Requests to /oauth/token of one client from one address in a minute'),
  PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN: count(10).describe(
    'Requests for a new password from one network address in a minute',
  ),
  RATE_LIMIT_REQUESTS_PER_MIN: count(300).describe(
    'Requests of one user of a client to one company in a minute, of any kind',
  ),
  RATE_LIMIT_WRITES_PER_MIN: count(120).describe(
    'Requests of one user of a client to one company in a minute that are not GET or HEAD',
  ),
  RATE_LIMIT_UPLOADS_PER_MIN: count(30).describe(
    'Requests of one user of a client to one company in a minute that upload a file',
  ),
  RATE_LIMIT_HEAVY_PER_MIN: count(10).describe(
    'Requests of one user of a client to one company in a minute that import, export or change many records at once',
  ),
  RATE_LIMIT_DIRECTORY_PER_MIN: count(18_000).describe(
    'SCIM requests of one directory in a minute: a first synchronization of 10,000 people is 20,000 requests',
  ),
  RATE_LIMIT_CLIENT_FACTOR: count(10, 1, 1_000).describe(
    'How many times as much as one user all users of a client may ask of one company together, by each of these limits',
  ),
  ...quotaSettings,
  WORKER_CONCURRENCY: count(10, 1, 200).describe('Jobs that one worker process runs at the same time'),
  WORKER_POLL_MS: count(1_000, 50).describe(
    'How often a worker polls for jobs that have become due, and for jobs and events whose notification was lost',
  ),
  WORKER_UPKEEP_MS: count(2_000, 50).describe(
    'How often a worker says that it lives, and looks for work that a dead process has left behind; of many workers two look',
  ),
  JOB_LEASE_S: count(120).describe(
    'How long a worker may give no sign of life; then it counts as dead, and its jobs run again',
  ),
  IMPORT_LEASE_S: count(30).describe(
    'How long a worker may give no sign of life while it runs an import; then another worker continues it',
  ),
  EXPORT_LEASE_S: count(60).describe(
    'How long a process may give no sign of life while it makes an export; then a worker starts it again',
  ),
  EXPORT_PAUSE_S: count(5).describe('How long an export waits after its first failure; twice as long after the second'),
  WEBHOOK_ALLOW_PRIVATE: flag
    .default('false')
    .describe(
      'Allow webhooks to private addresses and by plain HTTP, and identity providers there: for development, where these are local',
    ),
  DNS_SERVERS: z
    .string()
    .regex(/^[0-9a-fA-F.:[\]]+(,[0-9a-fA-F.:[\]]+)*$/, { error: 'must be IP addresses with commas between them' })
    .optional()
    .describe(
      'Name servers that are asked for the TXT records of email domains, in place of those of the machine: IP addresses, with a port where it is not 53, with commas between them',
    ),
  WEBHOOK_TIMEOUT_MS: count(30_000, 100, 30_000).describe(
    'How long one webhook request may take, including the response',
  ),
  WEBHOOK_TEST_WAIT_MS: count(12_000, 100, 20_000).describe(
    'How long a request with `wait=true` waits for what comes of the test of a webhook',
  ),
  WEBHOOK_GRACE_MS: count(15_000, 100).describe(
    'How long a worker tries to record an attempt while the database does not respond; then the attempt is repeated',
  ),
  WEBHOOKS_IN_FLIGHT: count(500, 1, 10_000).describe(
    'Webhook requests that one worker process makes at the same time; each of its 100 turns may have ten in any case',
  ),
  WEBHOOKS_IN_FLIGHT_PER_SUBSCRIPTION: count(100, 1, 1_000).describe(
    'Webhook requests to one subscription at the same time, while its receiver responds well; 20 while it does not',
  ),
  AUDIT_RETENTION_DAYS: count(400, 90, 36_500).describe(
    'How long entries of the audit log are kept; the database refuses to delete any younger than 90 days',
  ),
  LOG_SLOW_REQUEST_MS: count(1_000).describe('A request that takes longer is logged as a warning, with `slow`'),
  LOG_SLOW_QUERY_MS: count(500).describe('A statement that takes longer is logged, with its text but without values'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address that serves /metrics'),
  METRICS_PORT: whole(0, 65535)
    .optional()
    .describe('Port of /metrics, for Prometheus; 0 picks a free one; without it there are no metrics'),
  METRICS_FAILING_WEBHOOKS: whole(0, 100)
    .default(10)
    .describe(
      'How many of the webhooks that fail most are named in /metrics, by their id and that of their company; 0: none',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('Where traces are sent by OTLP over HTTP, at `/v1/traces` below it; without it there are none'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional().describe('The same as a full URL'),
  OTEL_SDK_DISABLED: flag.default('false').describe('Send no traces, whatever else is set'),
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
    .describe('Which requests are traced; `parentbased`: as the `traceparent` of the request says, if it has one'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: from0To1 })
    .min(0, { error: from0To1 })
    .max(1, { error: from0To1 })
    .default(1)
    .describe('For `traceidratio`: the share of the traces beginning here that is kept, from 0 to 1'),
  RETENTION_DELETED_COLLABORATORS_DAYS: whole(30, 36_500)
    .optional()
    .describe(
      'After how many days deleted people are erased permanently, at least 30; without it never, because employers have to ' +
        'keep records for as long as the law of their country requires',
    ),
  MAX_BODY_BYTES: count(1_048_576).describe('Largest JSON or form body'),
  MAX_URL_BYTES: count(8_192).describe('Longest URL of a request, with its query; longer ones are refused with 414'),
  MAX_HEADER_BYTES: count(16_384, 1_024).describe(
    'Largest size of all request headers with the URL; larger ones are refused with 431',
  ),
  MAX_HEADERS: count(100, 10, 1_000).describe('Header lines of one request; more are refused with 431'),
  MAX_CONNECTIONS: count(10_000).describe('Most client connections of one process; more are closed immediately'),
  MAX_CONNECTIONS_PER_ADDRESS: count(1_000).describe(
    'Most connections of one address, or one IPv6 network (/64), to one process; TRUST_PROXY has no such limit',
  ),
  MAX_REQUESTS_IN_FLIGHT: count(1_000).describe('Concurrent requests of one process; more are refused with 503'),
  HEADERS_TIMEOUT_MS: count(15_000).describe('How long a client may take to send the headers of a request'),
  REQUEST_TIMEOUT_MS: count(120_000).describe('How long a client may take to send a whole request'),
  KEEP_ALIVE_TIMEOUT_MS: count(65_000).describe(
    'How long an idle connection stays open: longer than the proxy in front keeps it, which is often 60 s',
  ),
  SOCKET_TIMEOUT_MS: count(120_000).describe(
    'How long a connection with a request may be without traffic in either direction',
  ),
  DOWNLOAD_STALL_TIMEOUT_MS: count(30_000).describe(
    'A client must read another 64 KiB of a file within this time, or its connection is closed',
  ),
  ACCESS_TOKEN_LIFETIME_S: count(3_600).describe('Lifetime of an access token'),
  TOKEN_CACHE_ENTRIES: count(10_000, 0).describe(
    'Verified access tokens in the cache of one process, with the memberships of their users; 0 caches nothing',
  ),
  SHUTDOWN_DELAY_MS: count(0, 0).describe(
    'How long connections are still accepted after SIGTERM, while /readyz is 503: until every proxy has noticed',
  ),
  SHUTDOWN_TIMEOUT_MS: count(30_000).describe('How long in-flight requests may take after SHUTDOWN_DELAY_MS'),
});
