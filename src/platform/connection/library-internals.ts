/**
 * All that this service uses of pg and kysely beside what they promise. It was read in the versions below; with any other
 * `test/platform/connection/library-internals.test.ts` fails, until somebody has read it again.
 */
import type { Socket } from 'node:net';
import type { DatabaseConnection, QueryExecutorProvider } from 'kysely';
import type pg from 'pg';

export const readIn = { pg: '8.23.1', kysely: '0.29.9' };

const gathering = new WeakSet<pg.ClientBase>();

/**
 * Holds back what is written to Postgres until the event loop has looked at all sockets: then it leaves in one packet.
 *
 * pg writes each statement as soon as it gets it, in a packet of its own (`Query.submit`), and has nothing to gather them.
 * Its socket is `client.connection.stream`: with TLS it is another one than before the handshake, so it is asked for each
 * time. Corks add up, so pg's own around each statement does no harm.
 *
 * It saves most of the system calls of a small statement, here and in Postgres. It costs the rest of a turn of the event
 * loop. Without pipelining there is nothing to gather: see `DATABASE_PIPELINING`.
 */
export function gather(client: pg.ClientBase): void {
  if (gathering.has(client)) return;
  const stream = socketOf(client);
  gathering.add(client);
  stream.cork();
  setImmediate(() => {
    gathering.delete(client);
    stream.uncork();
  });
}

/**
 * Ends a connection at once, whatever it waits for: that fails with the error, or as if the server had gone.
 *
 * `Client.end` waits for the answers to what was sent, where statements are pipelined, and here none may ever come.
 */
export function cutOff(client: pg.ClientBase, error?: Error): void {
  socketOf(client).destroy(error);
}

/** Of pg's Client, what tells whether the server is to say something. */
interface ClientState {
  _connecting: boolean;
  _ending: boolean;
  _activeQuery: unknown;
  _queryQueue: readonly unknown[];
  _sentQueryQueue: readonly unknown[];
}

export type Owed = 'connection' | 'answer' | 'end';

/** What the server owes a client; undefined when the connection is idle. */
export function owedTo(client: pg.ClientBase): Owed | undefined {
  const { _connecting, _ending, _activeQuery, _queryQueue, _sentQueryQueue } = client as pg.ClientBase & ClientState;
  if (_connecting) return 'connection';
  if (_activeQuery || _queryQueue.length > 0 || _sentQueryQueue.length > 0) return 'answer';
  return _ending ? 'end' : undefined;
}

/** @param both also those that were sent; default only those that were received */
export function bytesOf(client: pg.ClientBase, both = false): number {
  const { bytesRead, bytesWritten } = socketOf(client);
  return both ? bytesRead + bytesWritten : bytesRead;
}

/** Whether there are bytes that nobody has taken yet: a COPY takes them as fast as it can write them elsewhere. */
export function isBehind(client: pg.ClientBase): boolean {
  return socketOf(client).readableLength > 0;
}

/** Has Postgres keep the statement. `Query` takes the name from its configuration only, and keeps it in this property. */
export function nameQuery(query: pg.Query, name: string): void {
  (query as pg.Query & { name: string }).name = name;
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.ClientBase & { connection: { stream: Socket } }).connection.stream;
}

/**
 * The connection of a transaction, which kysely lends to whatever runs a statement and hands to nobody. It is used to send
 * writes that nobody waits for: kysely itself sends nothing before the last answer has come.
 *
 * `QueryExecutor.provideConnection` is in its types, but not in its documentation. Inside a transaction it gives the one
 * connection that the driver handed out (`SingleConnectionProvider`), as it is.
 */
export async function connectionOf<C extends DatabaseConnection>(transaction: QueryExecutorProvider): Promise<C> {
  return transaction.getExecutor().provideConnection(async (connection) => connection as C);
}
