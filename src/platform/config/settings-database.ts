import { z } from 'zod';
import { addressProblem } from '../connection/address.ts';
import { choice, count, flag, noMaximum, required, secret, whole } from './setting-kinds.ts';

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres:// or postgresql://', abort: true })
  .superRefine((url, { addIssue }) => {
    const why = addressProblem(url);
    if (why) addIssue({ code: 'custom', message: why });
  });

export const databaseSettings = {
  DATABASE_URL: databaseUrl
    .optional()
    .meta({ ...required, ...secret })
    .describe(
      'Postgres 15 or later, with `sslmode` and other parameters as libpq spells them (docs/operations/postgres.md), and with ' +
        'several hosts where one takes over from another (docs/operations/failover.md); without it an embedded Postgres 18 ' +
        'runs in DATA_DIR (development only)',
    ),
  DATABASE_OWNER_URL: databaseUrl
    .optional()
    .meta(secret)
    .describe(
      'The same database with the login that owns the tables: it migrates and grants rights to the login of DATABASE_URL, ' +
        'which then cannot change the audit log. Default: DATABASE_URL',
    ),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .meta(secret)
    .describe('The same database without the pooler, for migrations, LISTEN and the queue; default DATABASE_URL'),
  DATABASE_POOLER: choice(['none', 'transaction'])
    .default('none')
    .describe(
      'What is in front of Postgres: `transaction` is a pooler in transaction mode, such as pgbouncer. It needs ' +
        'DATABASE_DIRECT_URL as well',
    ),
  DATABASE_PREPARED_STATEMENTS: flag
    .optional()
    .describe(
      'Use named prepared statements; default `true`, with a pooler `false`: pgbouncer supports them from 1.21 on, with ' +
        'max_prepared_statements',
    ),
  DATABASE_PIPELINING: choice(['on', 'off'])
    .default('on')
    .describe(
      'Send a statement without waiting for the result of the one before; `off` sends one after another, which is slower: ' +
        'for a pooler or a proxy that does not bear it',
    ),
  DATABASE_REPLICA_URL: databaseUrl
    .optional()
    .meta(secret)
    .describe('A replica of the database for exports, used when it is up to date; default none'),
  DATABASE_REPLICA_WAIT_MS: count(1_000).describe(
    'How long an export waits for the replica to catch up before it reads the primary',
  ),
  DATABASE_POOL_SIZE: count(10, 1, 1000).describe('Most connections to Postgres of one process'),
  DATABASE_CONNECTION_LIFETIME_S: count(1_800).describe(
    'How long a connection to Postgres is used; then a new one replaces it, because its memory in Postgres only grows',
  ),
  DATABASE_CONNECT_TIMEOUT_MS: count(5_000).describe('How long a request waits for a database connection'),
  DATABASE_POOL_WAITING: count(200, 0).describe(
    'Requests of one process that may wait for a database connection at the same time; more are refused with 503',
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: count(15_000).describe('Longest time one statement may run'),
  DATABASE_SOCKET_TIMEOUT_MS: whole(1, noMaximum)
    .optional()
    .describe(
      'Longest time a connection may be silent while a result is due; then it is closed and replaced, and the request is ' +
        'refused with 503. Must be longer than DATABASE_STATEMENT_TIMEOUT_MS; default 2,000 longer',
    ),
  DATABASE_LOCK_TIMEOUT_MS: count(10_000).describe('Longest time one statement may wait for a lock'),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: count(15_000).describe(
    'Longest pause between two statements of a transaction, after which the database ends it',
  ),
};
