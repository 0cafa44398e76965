/**
 * Connections for point reads, shared by all requests: a statement is sent without waiting for the answer to the one
 * before, and what comes up in one turn of the event loop leaves in one packet. That saves most of the system calls of a
 * small read, here and in Postgres.
 *
 * Each statement is a transaction of its own, so one that fails does not touch the others. Answers come in the order of
 * the questions: nothing slow belongs here.
 */
import pg from 'pg';
import type { DatabaseObserver } from './observer.ts';

interface PipelineOptions {
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
      this.#client ??= this.#connect();
      const client = await this.#client;
      gather(client);
      const { rows } = await client.query({ name, text, values });
      this.#observer?.statement(text, started_ms, rows.length, undefined);
      return rows;
    } catch (error) {
      this.#observer?.statement(text, started_ms, 0, error);
      throw error;
    } finally {
      this.under_way--;
    }
  }

  async close(): Promise<void> {
    this.#is_closed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  #connect(): Promise<pg.Client> {
    if (this.#is_closed) throw new Error('the connections are closed');
    const client = new pg.Client({ ...this.#config, pipeline: true });
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

const gathering = new WeakSet<pg.ClientBase>();

/** Holds back what is written to Postgres until the event loop has looked at all sockets: it leaves in one packet. */
export function gather(client: pg.ClientBase): void {
  if (gathering.has(client)) return;
  const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } }).connection;
  gathering.add(client);
  stream.cork();
  setImmediate(() => {
    gathering.delete(client);
    stream.uncork();
  });
}
