/**
 * Connections for point reads, shared by all requests: a statement is sent without waiting for the answer to the one
 * before, and what comes up in one turn of the event loop leaves in one packet.
 *
 * - It saves most of the system calls of a small read, here and in Postgres, and the wait for a connection of the pool.
 * - It costs fairness: answers come in the order of the questions, so nothing slow belongs here. Each statement is a
 *   transaction of its own, and one that fails does not touch the others.
 * - With `DATABASE_PIPELINING=off` each connection sends one after another.
 * - When it is wrong, `test/platform/connection/pipeline.test.ts` fails, and `test/platform/db/point-reads.test.ts`.
 */
import type pg from 'pg';
import { inTurn } from './in-turn.ts';
import { type Statement, sendStatement } from './kept-statement.ts';
import { cutOff, gather } from './library-internals.ts';
import type { DatabaseObserver } from './observer.ts';
import { type ClientConfig, PostgresClient, SilentConnection } from './postgres-client.ts';
import { withFreshPlan } from './stale-plan.ts';

export interface PipelineOptions {
  /** With `pipeline`; without it, a connection sends one after another. */
  config: ClientConfig;
  /** Connections; each is opened when it is first needed. */
  lanes: number;
  /** How long a connection is used; then a new one takes its place. */
  lifetimeS: number;
  /** Whether connections keep a statement that has a name. */
  keeping: boolean;
  /** What a new connection begins with. */
  onConnect?: ((client: pg.ClientBase) => Promise<void>) | undefined;
  observer?: DatabaseObserver | undefined;
}

export interface Pipeline {
  /** @param admit asked each time before the statement is sent; may throw */
  query<R>(statement: Statement<R>, admit?: () => void): Promise<R[]>;
  /** Cuts the connections on which something waits for its answer. */
  cut(): void;
  /** Connections that are open, and statements that have no answer yet. */
  figures(): { open: number; under_way: number };
  close(): Promise<void>;
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const lanes = Array.from({ length: options.lanes }, () => new Lane(options));
  let turn = 0;
  return {
    query(statement, admit) {
      turn = (turn + 1) % lanes.length;
      return lanes[turn]!.query(statement, admit);
    },
    cut() {
      for (const lane of lanes) lane.cut();
    },
    figures: () => ({
      open: lanes.filter(({ isOpen }) => isOpen).length,
      under_way: lanes.reduce((sum, { under_way: underWay }) => sum + underWay, 0),
    }),
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** One connection; a new one after it broke, and when it is old. */
class Lane {
  readonly #options: PipelineOptions;
  readonly #inTurn = inTurn();
  #client: Promise<pg.Client> | undefined;
  #expiresMs = 0;
  #isClosed = false;
  under_way = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  async query<R>(statement: Statement<R>, admit?: () => void): Promise<R[]> {
    const { config, observer } = this.#options;
    const startedMs = performance.now();
    this.under_way++;
    try {
      const ask = async () => {
        admit?.();
        return this.#ask(statement);
      };
      const send = () => (config.pipeline ? ask() : this.#inTurn(ask));
      const { rows } = await this.#againWhenCut(() => withFreshPlan(send, () => true), admit);
      observer?.statement(statement.sql, startedMs, rows.length, undefined);
      return rows;
    } catch (error) {
      observer?.statement(statement.sql, startedMs, 0, error);
      throw error;
    } finally {
      this.under_way--;
    }
  }

  cut(): void {
    if (this.under_way === 0 || !this.#client) return;
    const error = new SilentConnection('answer');
    void this.#client.then(
      (client) => cutOff(client, error),
      () => {},
    );
    this.#client = undefined;
  }

  /** On another connection, once: it only reads, and the one that was cut may have been lost to others as well. */
  async #againWhenCut<T>(send: () => Promise<T>, admit?: () => void): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof SilentConnection && error.owed === 'answer')) throw error;
      admit?.(); // who is refused does not wait for a turn
      return send();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await endOf(this.#client);
  }

  async #ask(statement: Statement): Promise<pg.QueryResult> {
    const { config, keeping } = this.#options;
    if (performance.now() >= this.#expiresMs) this.#retire();
    this.#client ??= this.#connect();
    const client = await this.#client;
    if (config.pipeline) gather(client);
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    sendStatement(client, statement, keeping, (error, result) => {
      if (!error) return resolve(result);
      Error.captureStackTrace(error); // who asked, and not how pg reads its socket
      reject(error);
    });
    return promise;
  }

  /** What was asked is still answered. */
  #retire(): void {
    const old = this.#client;
    this.#client = undefined;
    void endOf(old);
  }

  #connect(): Promise<pg.Client> {
    if (this.#isClosed) throw new Error('the connections are closed');
    const { config, lifetimeS, onConnect } = this.#options;
    const client = new PostgresClient(config);
    const connecting = connected(client, onConnect);
    this.#expiresMs = performance.now() + lifetimeS * 1_000;
    // A lost connection tells it several times. By the second, a newer one may be in its place already.
    const forget = () => {
      if (this.#client === connecting) this.#client = undefined;
    };
    client.on('error', forget); // its statements fail by themselves
    client.on('end', forget);
    connecting.catch(forget);
    return connecting;
  }
}

async function connected(client: pg.Client, onConnect: PipelineOptions['onConnect']): Promise<pg.Client> {
  try {
    await client.connect();
    await onConnect?.(client);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

async function endOf(connection: Promise<pg.Client> | undefined): Promise<void> {
  const client = await connection?.catch(() => undefined);
  await client?.end().catch(() => {});
}
