/**
 * Lets the tests reach Postgres through a pooler in transaction mode, as `make check-pgbouncer` does: TEST_POOLER is where
 * it listens. Without it they connect directly.
 */
const pooler = process.env.TEST_POOLER;

/** What `openDatabase` is told besides, instead of the address of the server itself. */
export function throughPooler(url: string) {
  return pooler ? { url: pooled(url, pooler), pooled: true, prepared_statements: false } : {};
}

/** The settings of a process that is to use the pooler. */
export function poolerSettings(url: string | undefined): Record<string, string> {
  if (!pooler || !url) return {};
  return { DATABASE_URL: pooled(url, pooler), DATABASE_DIRECT_URL: url, DATABASE_POOLER: 'transaction' };
}

function pooled(url: string, host: string): string {
  return Object.assign(new URL(url), { host }).href;
}
