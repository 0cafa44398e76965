/** Metrics of this process's database access: pool waits, errors, and slow statements, which are also logged. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DatabaseObserver, PoolStats } from '../connection/observer.ts';
import type { SilentConnection } from '../connection/postgres-client.ts';
import { currentActivity } from './activity.ts';
import type { Logger } from './log.ts';

/** SQLSTATEs with which Postgres aborts a statement or transaction after a timeout or conflict. */
const abortReasons: Record<string, string> = {
  '55P03': 'timed out waiting for a lock',
  '57014': 'the statement timed out',
  '40P01': 'deadlock',
  '40001': 'serialization failure',
  '25P03': 'the transaction was idle for too long',
};
/** SQLSTATE of a write without disk space. */
const diskFull = '53100';
const tooManyConnections = '53300';
const writing = /\b(insert into|update|delete from|merge into)\b/i;
const waitSeconds = [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const maxText = 4_000;

interface ObserveDatabaseOptions {
  registry: Registry;
  log: Logger;
  slowQueryMs: number;
}

interface WatchedDatabase extends DatabaseObserver {
  /** False from a write that fails for lack of space until one succeeds. */
  hasSpace(): boolean;
}

export function observeDatabase({ registry, log, slowQueryMs }: ObserveDatabaseOptions): WatchedDatabase {
  const registers = [registry];
  const waits = new Histogram({
    name: 'database_pool_wait_seconds',
    help: 'Time that callers waited for a pool connection.',
    buckets: waitSeconds,
    registers,
  });
  const slow = new Counter({
    name: 'database_slow_statements_total',
    help: 'Statements that took LOG_SLOW_QUERY_MS or longer. Each is logged.',
    registers,
  });
  const errors = new Counter({
    name: 'database_errors_total',
    help: 'Failed statements and connections, by SQLSTATE; "connection" without a response. 23505, a duplicate, is normal.',
    labelNames: ['sqlstate'],
    registers,
  });
  for (const sqlstate of [diskFull, tooManyConnections]) errors.inc({ sqlstate }, 0); // rate alerts need the counter to exist at 0
  let hasSpace = true;
  const logFieldsOf = (text: string, durationMs: number) => {
    const excerpt = text.length > maxText ? `${text.slice(0, maxText)}…` : text;
    return { doing: currentActivity()?.name(), duration_ms: Math.round(durationMs), sql: excerpt };
  };
  return {
    statement(text, startedMs, rows, error) {
      const durationMs = performance.now() - startedMs;
      const span = currentActivity()?.span;
      if (span) {
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text, 'db.response.returned_rows': rows };
        span.add(nameOf(text), 'client', startedMs, attributes, error);
      }
      if (durationMs >= slowQueryMs) {
        slow.inc();
        log.warn({ ...logFieldsOf(text, durationMs), rows }, 'slow query');
      }
      if (error === undefined) {
        if (!hasSpace && rows > 0 && writing.test(text)) hasSpace = true;
        return;
      }
      const sqlstate = sqlstateOf(error);
      errors.inc({ sqlstate: sqlstate ?? 'connection' });
      if (sqlstate === diskFull) hasSpace = false;
      const reason = sqlstate && abortReasons[sqlstate];
      if (reason) log.warn({ ...logFieldsOf(text, durationMs), sqlstate, reason }, 'query aborted');
    },
    acquired(waitMs, error) {
      waits.observe(waitMs / 1_000);
      if (error !== undefined) errors.inc({ sqlstate: sqlstateOf(error) ?? 'connection' });
    },
    hasSpace: () => hasSpace,
  };
}

/** @returns a callback for connections cut because they were silent */
export function observeClosedConnections(registry: Registry, log: Logger): (error: SilentConnection) => void {
  const closedConnections = new Counter({
    name: 'database_connections_cut_total',
    help: 'Connections closed because the database was silent for DATABASE_SOCKET_TIMEOUT_MS.',
    registers: [registry],
  });
  return (error) => {
    closedConnections.inc();
    log.warn({ err: error }, 'a silent database connection was replaced');
  };
}

/** @param figures called on each scrape */
export function observePool(registry: Registry, figures: () => PoolStats): void {
  const registers = [registry];
  new Gauge({
    name: 'database_pool_connections',
    help: 'Pool connections: in use, idle.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle } = figures();
      this.set({ state: 'in_use' }, total - idle);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Callers waiting for a pool connection.',
    registers,
    collect() {
      this.set(figures().waiting);
    },
  });
  new Gauge({
    name: 'database_pipeline_connections',
    help: 'Connections shared by point reads, beside the pool.',
    registers,
    collect() {
      this.set(figures().pipelines);
    },
  });
  new Gauge({
    name: 'database_pipeline_statements',
    help: 'Point reads in progress.',
    registers,
    collect() {
      this.set(figures().pipelined);
    },
  });
}

/** A lost connection has a code of another form, or none. */
function sqlstateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The first word, enough for a span name. */
function nameOf(text: string): string {
  return /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
}
