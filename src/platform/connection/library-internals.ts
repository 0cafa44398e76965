/** Every use of pg and kysely internals. A test fails with other versions than these until somebody verifies them again. */
import type { Socket } from 'node:net';
import type { DatabaseConnection, QueryExecutorProvider } from 'kysely';
import type pg from 'pg';

export const readIn = { pg: '8.23.1', kysely: '0.29.9' };

const gathering = new WeakSet<pg.ClientBase>();

/**
 * Buffers writes to Postgres until the event loop has polled all sockets, so that they leave in one packet.
 *
 * pg writes each statement immediately, in a packet of its own (`Query.submit`). Its socket is `client.connection.stream`, looked
 * up each time because the TLS handshake replaces it. Corks nest, so pg's own cork around each statement does no harm.
 *
 * Saves most system calls of a small statement, here and in Postgres. Costs the rest of an event loop turn. Without pipelining
 * there is nothing to buffer: see `DATABASE_PIPELINING`.
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

/** Destroys a connection immediately: `Client.end` waits for responses to pipelined statements, which may never come. */
export function cutOff(client: pg.ClientBase, error?: Error): void {
  socketOf(client).destroy(error);
}

/** The part of pg's Client that shows whether a response is due. */
interface ClientState {
  _connecting: boolean;
  _ending: boolean;
  _activeQuery: unknown;
  _queryQueue: readonly unknown[];
  _sentQueryQueue: readonly unknown[];
}

export type Owed = 'connection' | 'answer' | 'end';

/** Responses that the server has yet to send to a client; undefined when the connection is idle. */
export function owedTo(client: pg.ClientBase): Owed | undefined {
  const { _connecting, _ending, _activeQuery, _queryQueue, _sentQueryQueue } = client as pg.ClientBase & ClientState;
  if (_connecting) return 'connection';
  if (_activeQuery || _queryQueue.length > 0 || _sentQueryQueue.length > 0) return 'answer';
  return _ending ? 'end' : undefined;
}

/** @param both also counts bytes sent; by default only bytes received */
export function bytesOf(client: pg.ClientBase, both = false): number {
  const { bytesRead, bytesWritten } = socketOf(client);
  return both ? bytesRead + bytesWritten : bytesRead;
}

/** Whether received bytes are still unread: a COPY reads only as fast as it can write elsewhere. */
export function isBehind(client: pg.ClientBase): boolean {
  return socketOf(client).readableLength > 0;
}

/** Makes Postgres prepare the statement. `Query` accepts a name only in its configuration, and stores it in this property. */
export function nameQuery(query: pg.Query, name: string): void {
  (query as pg.Query & { name: string }).name = name;
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.ClientBase & { connection: { stream: Socket } }).connection.stream;
}

/**
 * The connection of a transaction, for writes that aren't awaited: kysely sends nothing before the last response has arrived.
 *
 * `QueryExecutor.provideConnection` is typed but undocumented; in a transaction it passes on the driver's connection unchanged.
 */
export async function connectionOf<C extends DatabaseConnection>(transaction: QueryExecutorProvider): Promise<C> {
  return transaction.getExecutor().provideConnection(async (connection) => connection as C);
}
