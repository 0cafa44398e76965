// A dedicated Postgres with the service's tables that can be stopped and restarted.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../../../../src/platform/embedded/embedded.ts';
import { isAlive } from '../../../../src/platform/embedded/folder-lock.ts';
import { migrate } from '../../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../../src/platform/schema/migrate-queue.ts';
import { beforeExit } from '../../../run/before-exit.ts';
import { rejectDatabaseUrl } from '../../../run/own-postgres.ts';
import { type Gate, startGate } from './gate.ts';

export interface Postgres {
  url: string;
  /** Proxy between service and database, and its URL. */
  gate: Gate;
  gate_url: string;
  /** Runs a statement on its own connection. */
  query<R extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<R[]>;
  /** Stops the server, waits, and restarts it. `immediate` simulates a crash. */
  restart(mode: 'fast' | 'immediate', downMs: number): Promise<void>;
  /** Cluster only: crashes a worker, and restarts it after a while. */
  loseMachine?(downMs: number): Promise<void>;
}

/** @param cleanups receives the cleanup functions */
export async function startPostgres(folder: string, cleanups: (() => Promise<unknown>)[]): Promise<Postgres> {
  rejectDatabaseUrl();
  let server = await startEmbedded(folder);
  const cancelExitHook = beforeExit(() => process.kill(server.pid, 'SIGQUIT'));
  cleanups.push(async () => {
    await server.stop();
    cancelExitHook();
  });
  const { url } = server;
  await migrate(url);
  await migrateQueue(url);
  return {
    url,
    ...(await gateTo(url, cleanups)),
    query: queryAt(url),
    async restart(mode, downMs) {
      process.kill(server.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      while (isAlive(server.pid)) await sleep(10);
      await sleep(downMs);
      server = await startEmbedded(folder);
      if (server.url !== url) throw new Error('Postgres came back on another port');
    },
  };
}

/** @param cleanups receives the cleanup functions */
export async function gateTo(
  url: string,
  cleanups: (() => Promise<unknown>)[],
): Promise<Pick<Postgres, 'gate' | 'gate_url'>> {
  const { hostname, port } = new URL(url);
  const gate = await startGate([{ host: hostname, port: Number(port) }]);
  cleanups.push(gate.close);
  return { gate, gate_url: Object.assign(new URL(url), { host: `127.0.0.1:${gate.port}` }).href };
}

/** Queries on a separate connection that no fault affects. */
export function queryAt(url: string): Postgres['query'] {
  return async (sql, parameters) => {
    const client = new pg.Client({ connectionString: url, application_name: 'chaos' });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(sql, parameters)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
}
