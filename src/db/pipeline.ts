/**
 * Connections for point reads, shared by all requests: a statement is sent without waiting for the answer to the one
 * before, and what comes up in one turn of the event loop leaves in one packet. That saves most of the system calls of a
 * small read, here and in Postgres.
 *
 * Each statement is a transaction of its own, so one that fails does not touch the others. Answers come in the order of
 * the questions: nothing slow belongs here.
 */
import pg from 'pg';

export interface PipelineOptions {
  config: pg.ClientConfig;
  /** Connections; each is opened when it is first needed. */
  lanes: number;
}

export interface Pipeline {
  /** @param name of the prepared statement: the same text has the same name */
  query<R>(name: string, text: string, values: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

export function createPipeline({ config, lanes }: PipelineOptions): Pipeline {
  const open = Array.from({ length: lanes }, () => new Lane(config));
  let turn = 0;
  return {
    query(name, text, values) {
      turn = (turn + 1) % lanes;
      return open[turn]!.query(name, text, values);
    },
    async close() {
      await Promise.all(open.map((lane) => lane.close()));
    },
  };
}

/** One connection; a new one after it broke. */
class Lane {
  readonly #config: pg.ClientConfig;
  #client: Promise<pg.Client> | undefined;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  async query<R>(name: string, text: string, values: unknown[]): Promise<R[]> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    gather(client);
    const { rows } = await client.query({ name, text, values });
    return rows;
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#config, pipeline: true });
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget); // its statements fail by themselves
    client.on('end', forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      forget();
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
