/**
 * Connects the tests through a pooler in transaction mode, for `make proof NAME=pgbouncer`. TEST_POOLER is its address,
 * with a login that isn't a superuser. Without it, tests connect directly.
 */
const pooler = process.env.TEST_POOLER;

/** Overrides for `openDatabase` to use the pooler. */
export function throughPooler(url: string) {
  return pooler ? { url: pooled(url, pooler), pooled: true, preparedStatements: false } : {};
}

/** Settings for a process that uses the pooler; migrations run as the user of `url`. */
export function poolerSettings(url: string | undefined): Record<string, string> {
  if (!pooler || !url) return {};
  const { username, password } = new URL(pooler);
  return {
    DATABASE_URL: pooled(url, pooler),
    DATABASE_DIRECT_URL: Object.assign(new URL(url), { username, password }).href,
    DATABASE_OWNER_URL: url,
    DATABASE_POOLER: 'transaction',
  };
}

function pooled(url: string, at: string): string {
  const { host, username, password } = new URL(at);
  return Object.assign(new URL(url), { host, username, password }).href;
}
