/**
 * All that this service uses of pg and kysely beside what they promise. It was read in the versions below; with any other
 * `test/platform/connection/library-internals.test.ts` fails, until somebody has read it again.
 */
import type { Socket } from 'node:net';
import type { DatabaseConnection, QueryExecutorProvider } from 'kysely';
import type pg from 'pg';

export const read_in = { pg: '8.23.1', kysely: '0.29.9' };

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
 * Ends a connection at once, whatever it waits for: that fails as if the server had gone.
 *
 * `Client.end` waits for the answers to what was sent, where statements are pipelined, and here none may ever come.
 */
export function cutOff(client: pg.ClientBase): void {
  socketOf(client).destroy();
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
