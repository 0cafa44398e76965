/**
 * Lets the tests reach Postgres through a pooler in transaction mode, as `make proof NAME=pgbouncer` does: TEST_POOLER is its
 * address, with a login of the server behind it that is no superuser. Without it they connect directly.
 */
const pooler = process.env.TEST_POOLER;

/** What `openDatabase` is told besides, instead of the address of the server itself. */
export function throughPooler(url: string) {
  return pooler ? { url: pooled(url, pooler), pooled: true, preparedStatements: false } : {};
}

/** The settings of a process that is to use the pooler; migrations run as who `url` logs in as. */
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
