/**
 * A connection as kysely uses it, with the guard in front of every statement, and with fewer round trips for a
 * transaction: its beginning leaves with its first statement, and what is held for the commit leaves with that.
 */
import type { CompiledQuery, DatabaseConnection, Driver, Kysely, PostgresDriver, QueryResult } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { guard } from './guard.ts';

type Inner = Parameters<PostgresDriver['releaseConnection']>[0];
type Settings = Parameters<Driver['beginTransaction']>[1];

/** @param company_id the company that all statements act for; undefined where no tenant table may be touched */
export function guarded(driver: PostgresDriver, started: Promise<void>, company_id: string | undefined): Driver {
  return {
    init: () => started,
    async acquireConnection() {
      return new GuardedConnection(driver, (await driver.acquireConnection()) as unknown as Inner, company_id);
    },
    beginTransaction: async (connection, settings) => (connection as GuardedConnection).begin(settings),
    commitTransaction: (connection) => (connection as GuardedConnection).commit(),
    rollbackTransaction: (connection) => (connection as GuardedConnection).rollback(),
    releaseConnection: (connection) => driver.releaseConnection((connection as GuardedConnection).inner as never),
    destroy: async () => {}, // the pool outlives every builder; `Database.close` ends it
  };
}

/** Has a statement leave together with the commit of the transaction. When it fails, so does the commit. */
export async function holdForCommit(transaction: Kysely<DB>, query: CompiledQuery): Promise<void> {
  await transaction
    .getExecutor()
    .provideConnection(async (connection) => (connection as GuardedConnection).hold(query));
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: Inner;
  readonly #driver: PostgresDriver;
  readonly #company_id: string | undefined;
  /** Of a transaction that has not had a statement yet. */
  #opening: Settings | undefined;
  #held: CompiledQuery | undefined;

  constructor(driver: PostgresDriver, inner: Inner, company_id: string | undefined) {
    this.#driver = driver;
    this.inner = inner;
    this.#company_id = company_id;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#check(query);
    return this.#send<R>(query);
  }

  async *streamQuery<R>(query: CompiledQuery, chunk_rows: number): AsyncIterableIterator<QueryResult<R>> {
    this.#check(query);
    await this.#open();
    yield* this.inner.streamQuery<R>(query, chunk_rows);
  }

  begin(settings: Settings): void {
    this.#opening = settings;
  }

  hold(query: CompiledQuery): void {
    this.#check(query);
    this.#held = query;
  }

  async commit(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (!held && this.#opening) {
      this.#opening = undefined; // nothing was done
      return;
    }
    const sent = held && this.#send(held);
    const committed = this.#driver.commitTransaction(this.inner as never);
    committed.catch(() => {}); // a held statement that failed says why; the commit only says that it did not happen
    await sent;
    await committed;
  }

  async rollback(): Promise<void> {
    this.#held = undefined;
    if (this.#opening) this.#opening = undefined;
    else await this.#driver.rollbackTransaction(this.inner as never);
  }

  #check({ sql, parameters }: CompiledQuery): void {
    guard(sql, parameters, this.#company_id);
  }

  /** Writes both at once; Postgres answers them in their order. */
  async #send<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const [, result] = await Promise.all([this.#open(), this.inner.executeQuery<R>(query)]);
    return result;
  }

  #open(): Promise<void> | undefined {
    const settings = this.#opening;
    this.#opening = undefined;
    return settings && this.#driver.beginTransaction(this.inner as never, settings);
  }
}
