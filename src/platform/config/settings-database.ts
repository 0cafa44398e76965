import { z } from 'zod';
import { addressProblem } from '../connection/address.ts';
import {
  choice,
  count,
  flag,
  milliseconds,
  noMaximum,
  required,
  seconds,
  secret,
  wholeNumber,
} from './setting-kinds.ts';

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres:// or postgresql://', abort: true })
  .superRefine((url, { addIssue }) => {
    const problem = addressProblem(url);
    if (problem) addIssue({ code: 'custom', message: problem });
  });

export const databaseSettings = {
  DATABASE_URL: databaseUrl
    .optional()
    .meta({ ...required, ...secret })
    .describe(
      'Postgres 15 or later. Accepts libpq parameters such as `sslmode` (docs/operations/postgres.md) and several hosts for failover (docs/operations/failover.md). Without it, an embedded Postgres 18 runs in DATA_DIR (development only)',
    ),
  DATABASE_OWNER_URL: databaseUrl
    .optional()
    .meta(secret)
    .describe(
      "The same database with the login that owns the tables. It runs migrations and grants privileges to the login of DATABASE_URL, which then can't change the audit log. Default: DATABASE_URL",
    ),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .meta(secret)
    .describe('The same database without the pooler, for migrations, LISTEN, and the queue. Default: DATABASE_URL'),
  DATABASE_POOLER: choice(['none', 'transaction'])
    .default('none')
    .describe(
      'Pooler in front of Postgres: `transaction` for one in transaction mode, such as pgbouncer. Requires DATABASE_DIRECT_URL',
    ),
  DATABASE_PREPARED_STATEMENTS: flag
    .optional()
    .describe(
      'Use named prepared statements. Default: `true`, or `false` with a pooler. pgbouncer supports them since 1.21, with max_prepared_statements',
    ),
  DATABASE_PIPELINING: choice(['on', 'off'])
    .default('on')
    .describe(
      "Send statements without waiting for earlier results. `off` is slower, for poolers and proxies that don't support pipelining",
    ),
  DATABASE_REPLICA_URL: databaseUrl
    .optional()
    .meta(secret)
    .describe('Replica for exports, used while it is up to date. Default: none'),
  DATABASE_REPLICA_WAIT_MS: milliseconds(1_000).describe(
    'How long an export waits for the replica to catch up before it reads from the primary',
  ),
  DATABASE_POOL_SIZE: count(10, 1, 1000).describe('Maximum pool connections to Postgres per process'),
  DATABASE_CONNECTION_LIFETIME_S: seconds(1_800).describe(
    'Maximum age of a connection before it is replaced, which limits the memory it uses in Postgres',
  ),
  DATABASE_CONNECT_TIMEOUT_MS: milliseconds(5_000).describe('Maximum time a request waits for a database connection'),
  DATABASE_POOL_WAITING: count(200, 0).describe(
    'Maximum requests per process that wait for a database connection; more get 503',
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(15_000).describe('Maximum duration of a statement'),
  DATABASE_SOCKET_TIMEOUT_MS: wholeNumber(1, noMaximum)
    .optional()
    .describe(
      'How long a connection may stay silent while a result is due. It is then closed and replaced, and the request gets 503. Must be longer than DATABASE_STATEMENT_TIMEOUT_MS. Default: 2,000 longer',
    ),
  DATABASE_LOCK_TIMEOUT_MS: milliseconds(10_000).describe('Maximum time a statement waits for a lock'),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: milliseconds(15_000).describe(
    'Maximum idle time between two statements of a transaction before the database ends it',
  ),
};
