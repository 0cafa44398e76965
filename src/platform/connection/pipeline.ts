/**
 * Connections for point reads, shared by all requests: a statement is sent without waiting for the answer to the one
 * before, and what comes up in one turn of the event loop leaves in one packet.
 *
 * - It saves most of the system calls of a small read, here and in Postgres, and the wait for a connection of the pool.
 * - It costs fairness: answers come in the order of the questions, so nothing slow belongs here. Each statement is a
 *   transaction of its own, and one that fails does not touch the others.
 * - With `DATABASE_PIPELINING=off` each connection sends one after another.
 * - When it is wrong, `test/platform/connection/pipeline.test.ts` fails, and "point reads" in `test/platform/db/transactions.test.ts`.
 */
import pg from 'pg';
import { inTurn } from './in-turn.ts';
import { gather } from './library-internals.ts';
import type { DatabaseObserver } from './observer.ts';

interface PipelineOptions {
  /** With `pipeline`; without it, a connection sends one after another. */
  config: pg.ClientConfig;
  observer: DatabaseObserver | undefined;
  /** Connections; each is opened when it is first needed. */
  lanes: number;
  /** What a new connection begins with. */
  onConnect?: ((client: pg.ClientBase) => Promise<void>) | undefined;
}

export interface Pipeline {
  /** @param name of the prepared statement: the same text has the same name; without one it is not kept */
  query<R>(name: string | undefined, text: string, values: unknown[]): Promise<R[]>;
  /** Connections that are open, and statements that have no answer yet. */
  figures(): { open: number; under_way: number };
  close(): Promise<void>;
}

export function createPipeline({ config, lanes, onConnect, observer }: PipelineOptions): Pipeline {
  const open = Array.from({ length: lanes }, () => new Lane(config, onConnect, observer));
  let turn = 0;
  return {
    query(name, text, values) {
      turn = (turn + 1) % lanes;
      return open[turn]!.query(name, text, values);
    },
    figures: () => ({
      open: open.filter(({ is_open }) => is_open).length,
      under_way: open.reduce((sum, { under_way }) => sum + under_way, 0),
    }),
    async close() {
      await Promise.all(open.map((lane) => lane.close()));
    },
  };
}

/** One connection; a new one after it broke. */
class Lane {
  readonly #config: pg.ClientConfig;
  readonly #onConnect: PipelineOptions['onConnect'];
  readonly #observer: DatabaseObserver | undefined;
  #client: Promise<pg.Client> | undefined;
  #is_closed = false;
  readonly #inTurn = inTurn();
  under_way = 0;

  constructor(
    config: pg.ClientConfig,
    onConnect: PipelineOptions['onConnect'],
    observer: DatabaseObserver | undefined,
  ) {
    this.#config = config;
    this.#onConnect = onConnect;
    this.#observer = observer;
  }

  get is_open(): boolean {
    return this.#client !== undefined;
  }

  async query<R>(name: string | undefined, text: string, values: unknown[]): Promise<R[]> {
    const started_ms = performance.now();
    this.under_way++;
    try {
      const ask = () => this.#ask({ name, text, values });
      const { rows } = await (this.#config.pipeline ? ask() : this.#inTurn(ask));
      this.#observer?.statement(text, started_ms, rows.length, undefined);
      return rows;
    } catch (error) {
      this.#observer?.statement(text, started_ms, 0, error);
      throw error;
    } finally {
      this.under_way--;
    }
  }

  async #ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    if (this.#config.pipeline) gather(client);
    return client.query(query);
  }

  async close(): Promise<void> {
    this.#is_closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  #connect(): Promise<pg.Client> {
    if (this.#is_closed) throw new Error('the connections are closed');
    const client = new pg.Client(this.#config);
    const connecting = this.#connected(client);
    // A lost connection tells it several times. By the second, a newer one may be in its place already.
    const forget = () => {
      if (this.#client === connecting) this.#client = undefined;
    };
    client.on('error', forget); // its statements fail by themselves
    client.on('end', forget);
    connecting.catch(forget);
    return connecting;
  }

  async #connected(client: pg.Client): Promise<pg.Client> {
    try {
      await client.connect();
      await this.#onConnect?.(client);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }
}
