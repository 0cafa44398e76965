/**
 * Connections for point reads, shared by all requests: statements are sent without waiting for earlier responses, and those of
 * one event loop turn leave in one packet.
 * - Saves most system calls of a small read, here and in Postgres, and the wait for a pool connection.
 * - Costs fairness: responses come in order, so slow statements don't belong here. Each statement is a transaction of its own, so
 *   a failure doesn't affect the others.
 * - To switch it off: `DATABASE_PIPELINING=off` sends one statement at a time on each connection.
 * - Tests: `test/platform/connection/pipeline.test.ts` and `test/platform/db/point-reads.test.ts`.
 */
import type pg from 'pg';
import { inTurn } from './in-turn.ts';
import { cutOff, gather } from './library-internals.ts';
import type { DatabaseObserver } from './observer.ts';
import { type ClientConfig, PostgresClient, SilentConnection } from './postgres-client.ts';
import { type Statement, sendStatement } from './prepared-statement.ts';
import { withFreshPlan } from './stale-plan.ts';

export interface PipelineOptions {
  /** Its `pipeline` flag decides whether statements are pipelined. */
  config: ClientConfig;
  /** The number of connections; each is opened when first needed. */
  lanes: number;
  /** How long a connection is used before it is replaced. */
  lifetimeS: number;
  /** Whether named statements are prepared. */
  prepares: boolean;
  onConnect?: ((client: pg.ClientBase) => Promise<void>) | undefined;
  observer?: DatabaseObserver | undefined;
}

export interface Pipeline {
  /** @param admit called before each send; may throw */
  query<R>(statement: Statement<R>, admit?: () => void): Promise<R[]>;
  /** Cuts off connections with pending statements. */
  cut(): void;
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

/** One connection, replaced when it breaks or gets old. */
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
      const attempt = async () => {
        admit?.();
        return this.#send(statement);
      };
      const send = () => (config.pipeline ? attempt() : this.#inTurn(attempt));
      const { rows } = await this.#retryWhenCut(() => withFreshPlan(send, () => true), admit);
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

  /** Retries once on a new connection: it only reads, and may have been cut for another company's sake. */
  async #retryWhenCut<T>(send: () => Promise<T>, admit?: () => void): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof SilentConnection && error.owed === 'answer')) throw error;
      admit?.(); // fail without waiting
      return send();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await endOf(this.#client);
  }

  async #send(statement: Statement): Promise<pg.QueryResult> {
    const { config, prepares } = this.#options;
    if (performance.now() >= this.#expiresMs) this.#retire();
    this.#client ??= this.#connect();
    const client = await this.#client;
    if (config.pipeline) gather(client);
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    sendStatement(client, statement, prepares, (error, result) => {
      if (!error) return resolve(result);
      Error.captureStackTrace(error); // shows the caller rather than pg's socket handling
      reject(error);
    });
    return promise;
  }

  /** Pending statements still get their responses. */
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
    // A lost connection emits several events; by the second, a newer connection may be in place.
    const forget = () => {
      if (this.#client === connecting) this.#client = undefined;
    };
    client.on('error', forget); // its statements fail on their own
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
