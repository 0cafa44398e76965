/**
 * A connection as kysely uses it, with the guard in front of every statement, and with fewer round trips for a
 * transaction: its beginning leaves with its first statement, and what is held for the commit leaves with that. One that
 * has nothing but what is held for the commit is that statement, which exists as a whole or not at all by itself.
 */
import type { CompiledQuery, DatabaseConnection, Driver, Kysely, PostgresDriver, QueryResult } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { guard } from '../tenancy/guard.ts';
import type { DatabaseObserver } from './observer.ts';

type Inner = Parameters<PostgresDriver['releaseConnection']>[0];
type Settings = Parameters<Driver['beginTransaction']>[1];

/** @param company_id the company that all statements act for; undefined where no tenant table may be touched */
export function guarded(
  driver: PostgresDriver,
  started: Promise<void>,
  company_id: string | undefined,
  observer: DatabaseObserver | undefined,
): Driver {
  return {
    init: () => started,
    async acquireConnection() {
      const inner = (await driver.acquireConnection()) as unknown as Inner;
      return new GuardedConnection(driver, inner, company_id, observer);
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
  readonly #observer: DatabaseObserver | undefined;
  /** Of a transaction that has not had a statement yet. */
  #opening: Settings | undefined;
  /** Whether a transaction was begun at the database. */
  #has_begun = false;
  #held: CompiledQuery | undefined;

  constructor(
    driver: PostgresDriver,
    inner: Inner,
    company_id: string | undefined,
    observer: DatabaseObserver | undefined,
  ) {
    this.#driver = driver;
    this.inner = inner;
    this.#company_id = company_id;
    this.#observer = observer;
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
    if (this.#opening) {
      this.#opening = undefined; // nothing was sent so far
      if (held) await this.#send(held);
      return;
    }
    const sent = held && this.#send(held);
    const committed = this.#watched('commit', this.#driver.commitTransaction(this.inner as never));
    committed.catch(() => {}); // a held statement that failed says why; the commit only says that it did not happen
    await sent;
    await committed;
    this.#has_begun = false;
  }

  async rollback(): Promise<void> {
    this.#held = undefined;
    this.#opening = undefined;
    if (!this.#has_begun) return;
    this.#has_begun = false;
    await this.#driver.rollbackTransaction(this.inner as never);
  }

  #check({ sql, parameters }: CompiledQuery): void {
    guard(sql, parameters, this.#company_id);
  }

  /** Writes both at once; Postgres answers them in their order. */
  async #send<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const both = Promise.all([this.#open(), this.inner.executeQuery<R>(query)]);
    const [, result] = await this.#watched(query.sql, both, ([, { rows, numAffectedRows }]) =>
      Math.max(rows.length, Number(numAffectedRows ?? 0)),
    );
    return result;
  }

  /** @param rowsOf how many rows it was about */
  async #watched<T>(text: string, work: Promise<T>, rowsOf?: (result: T) => number): Promise<T> {
    const started_ms = performance.now();
    try {
      const result = await work;
      this.#observer?.statement(text, started_ms, rowsOf?.(result) ?? 0, undefined);
      return result;
    } catch (error) {
      this.#observer?.statement(text, started_ms, 0, error);
      throw error;
    }
  }

  #open(): Promise<void> | undefined {
    const settings = this.#opening;
    this.#opening = undefined;
    if (!settings) return undefined;
    this.#has_begun = true;
    return this.#driver.beginTransaction(this.inner as never, settings);
  }
}
