/**
 * A connection as kysely uses it, with the guard in front of every statement, and with fewer round trips for a
 * transaction: its beginning leaves with its first statement, and what is held for the commit leaves with that. One that
 * has nothing but what is held for the commit is that statement, which exists as a whole or not at all by itself.
 */
import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import type { DB } from '../../../generated/db.ts';
import { guard } from '../tenancy/guard.ts';
import { inTurn } from './in-turn.ts';
import { queryConfig, type Statement } from './kept-statement.ts';
import { connectionOf, gather } from './library-internals.ts';
import type { DatabaseObserver } from './observer.ts';

interface ConnectionOptions {
  /** Lends a connection of the pool. */
  borrow: () => Promise<pg.PoolClient>;
  /** The company that all statements act for; undefined where no tenant table may be touched. */
  company_id: string | undefined;
  /** Whether Postgres keeps statements that have a name. */
  prepared_statements: boolean;
  /** Whether a statement is sent before the one ahead of it is answered. */
  pipelining: boolean;
  observer: DatabaseObserver | undefined;
}

export function guardedDriver(options: ConnectionOptions): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => new Connection(await options.borrow(), options),
    beginTransaction: async (connection: Connection, settings) => connection.begin(settings),
    commitTransaction: (connection: Connection) => connection.commit(),
    rollbackTransaction: (connection: Connection) => connection.rollback(),
    releaseConnection: async (connection: Connection) => connection.release(),
    destroy: async () => {}, // the pool outlives every builder; `Database.close` ends it
  };
}

/** Has a statement leave together with the commit of the transaction. When it fails, so does the commit. */
export async function holdForCommit(transaction: Kysely<DB>, statement: Statement): Promise<void> {
  (await connectionOf<Connection>(transaction)).hold(statement);
}

class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #options: ConnectionOptions;
  /** What begins a transaction that has not had a statement yet. */
  #opening: string | undefined;
  /** Whether a transaction was begun at the database. */
  #has_begun = false;
  #held: Statement | undefined;
  /** Whether nobody should have it again. */
  #is_broken = false;
  readonly #inTurn = inTurn();

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
  }

  async executeQuery<R>(statement: Statement<R>): Promise<QueryResult<R>> {
    this.#check(statement);
    const { command, rowCount, rows } = await this.#run<R & pg.QueryResultRow>(statement);
    return { rows, ...(changing.has(command) && { numAffectedRows: BigInt(rowCount!) }) };
  }

  streamQuery(): never {
    throw new Error('many rows are read with a cursor: see TenantSnapshot.groups');
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const level = isolationLevel && `isolation level ${isolationLevel}`;
    const how = [level, accessMode].filter(Boolean).join(' ');
    this.#opening = how ? `start transaction ${how}` : 'begin';
  }

  hold(statement: Statement): void {
    this.#check(statement);
    this.#held = statement;
  }

  async commit(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (this.#opening) {
      this.#opening = undefined; // nothing was sent so far
      if (held) await this.#run(held);
      return;
    }
    const sent = held && this.#run(held);
    const committed = this.#run(CompiledQuery.raw('commit'));
    committed.catch(() => {}); // a held statement that failed says why; the commit only says that it did not happen
    await sent;
    const { command } = await committed;
    this.#has_begun = false;
    // How Postgres answers the commit of a transaction in which a statement has failed.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollback(): Promise<void> {
    this.#held = undefined;
    this.#opening = undefined;
    if (!this.#has_begun) return;
    this.#has_begun = false;
    try {
      await this.#send(CompiledQuery.raw('rollback'));
    } catch {
      this.#is_broken = true; // Postgres rolls back what loses its connection
    }
  }

  release(): void {
    this.#client.release(this.#is_broken);
  }

  #check({ sql, parameters }: Statement): void {
    guard(sql, parameters, this.#options.company_id);
  }

  /** Tells the observer. */
  async #run<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>> {
    const { sql } = statement;
    const { observer } = this.#options;
    const started_ms = performance.now();
    try {
      // Both at once; Postgres answers them in their order.
      const [, result] = await Promise.all([this.#open(), this.#send<R>(statement)]);
      observer?.statement(sql, started_ms, Math.max(result.rows.length, result.rowCount ?? 0), undefined);
      return result;
    } catch (error) {
      observer?.statement(sql, started_ms, 0, error);
      throw error;
    }
  }

  #open(): Promise<unknown> | undefined {
    const beginning = this.#opening;
    this.#opening = undefined;
    if (!beginning) return undefined;
    this.#has_begun = true;
    return this.#send(CompiledQuery.raw(beginning));
  }

  #send<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>> {
    const { pipelining, prepared_statements } = this.#options;
    const post = () => {
      if (pipelining) gather(this.#client);
      return this.#client.query<R>(queryConfig(statement, prepared_statements));
    };
    return pipelining ? post() : this.#inTurn(post);
  }
}

const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
