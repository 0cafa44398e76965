// A Postgres of the run's own, with the tables of the service, that can be stopped and started again.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedPostgres } from '../../../src/platform/embedded/embedded.ts';
import { isAlive } from '../../../src/platform/embedded/folder-lock.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { ownPostgres } from '../../run/own-postgres.ts';
import { beforeExit } from './endings.ts';
import { type Gate, startGate } from './gate.ts';

export interface Postgres {
  url: string;
  /** The way of the service to it, and the address that leads through it. */
  gate: Gate;
  gate_url: string;
  /** A statement on a connection of its own. */
  query<R extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<R[]>;
  /** Stops the server, waits, and starts it again. `immediate` is what a crash leaves. */
  restart(how: 'fast' | 'immediate', downMs: number): Promise<void>;
  /** Of a cluster: a worker goes as by a crash, and comes back after a while. */
  loseMachine?(downMs: number): Promise<void>;
}

/** @param opened gets what ends it */
export async function startPostgres(folder: string, opened: (() => Promise<unknown>)[]): Promise<Postgres> {
  let server: EmbeddedPostgres = await ownPostgres(folder);
  const stoppedInOrder = beforeExit(() => process.kill(server.pid, 'SIGQUIT'));
  opened.push(async () => {
    await server.stop();
    stoppedInOrder();
  });
  const { url } = server;
  await migrate(url);
  await migrateQueue(url);
  return {
    url,
    ...(await gateTo(url, opened)),
    query: queryAt(url),
    async restart(how, downMs) {
      process.kill(server.pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      while (isAlive(server.pid)) await sleep(10);
      await sleep(downMs);
      server = await ownPostgres(folder);
      if (server.url !== url) throw new Error('Postgres came back on another port');
    },
  };
}

/** @param opened gets what ends it */
export async function gateTo(
  url: string,
  opened: (() => Promise<unknown>)[],
): Promise<Pick<Postgres, 'gate' | 'gate_url'>> {
  const { hostname, port } = new URL(url);
  const gate = await startGate([{ host: hostname, port: Number(port) }]);
  opened.push(gate.close);
  return { gate, gate_url: Object.assign(new URL(url), { host: `127.0.0.1:${gate.port}` }).href };
}

/** Asks on a connection of its own, which no fault cuts. */
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
