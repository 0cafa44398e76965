/** Lease of cached access, long enough for any delay on a busy machine. */
export const longLeaseMs = 600_000;

/** Settings of every test: quiet and strict, with a fixed key. */
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
  // Poll often, so that missed notifications don't slow tests down. At 200 ms, an idle worker takes a fifth of a core.
  WORKER_POLL_MS: '500',
  WORKER_UPKEEP_MS: '500',
  // Long enough for a busy machine.
  DATABASE_CONNECT_TIMEOUT_MS: '30000',
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};
