/** What a process remembers of access holds, however long a busy machine lets it wait for an answer. */
export const longLeaseMs = 600_000;

/** Settings of every test: quiet, strict, with a fixed key. */
export const testSettings = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_REQUESTS_PER_MIN: '1000000',
  RATE_LIMIT_WRITES_PER_MIN: '1000000',
  RATE_LIMIT_UPLOADS_PER_MIN: '1000000',
  RATE_LIMIT_HEAVY_PER_MIN: '1000000',
  AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN: '1000000',
  TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: '1000000',
  PROFILE_REQUESTS_PER_MIN: '1000000',
  // What nobody came for is found soon.
  WORKER_POLL_MS: '200',
  WORKER_UPKEEP_MS: '200',
  // A busy machine takes its time.
  DATABASE_CONNECT_TIMEOUT_MS: '30000',
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};
