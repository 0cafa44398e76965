/** One company's tables. Statements built here are bound to the company; the guard refuses any that aren't. */
import {
  type Compilable,
  CompiledQuery,
  type InsertObject,
  type Kysely,
  type QueryCreator,
  sql,
  type Transaction,
} from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Connection } from '../connection/connection.ts';
import type { Statement } from '../connection/prepared-statement.ts';
import { notification } from '../notify/notification.ts';
import type { GlobalTables, TenantTable, TenantTables } from '../tenancy/tables.ts';

type Query = Kysely<TenantTables>;

/** A company's tables, inside or outside a transaction. Created only by `Database.tenant()`. */
export abstract class Tenant {
  readonly company_id: string;
  readonly #db: Kysely<DB>;

  constructor(companyId: string, db: Kysely<DB>) {
    this.company_id = companyId;
    this.#db = db;
  }

  /** Runs `work` in one transaction, or in the current one if there is one. Don't make network calls inside. */
  abstract transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `work` on a consistent snapshot of the company, for long reads: `work` may wait, for example for a slow file store.
   * Holds a connection until `work` is done.
   * @param maxPauseMs the longest time between two statements; after it the database ends the transaction
   */
  abstract snapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>, maxPauseMs?: number): Promise<T>;

  /** The same on a replica that has caught up, if there is one; otherwise on the primary. */
  async replicaSnapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>): Promise<T> {
    return this.snapshot(work);
  }

  /** Runs a statement compiled by `pointRead`; in a transaction on its connection, so that it sees the transaction's writes. */
  async read<R>(statement: Statement<R>): Promise<R[]> {
    return this.run(statement);
  }

  /** Runs a statement compiled by `preparedQuery`. */
  async run<R>(statement: Statement<R>): Promise<R[]> {
    return (await this.#db.executeQuery<R>(statement)).rows;
  }

  /** Selects rows of this company; accepts `table as alias`. Bind joined tables with `onRef('x.company_id', …)`. */
  get selectFrom(): Query['selectFrom'] {
    return ((table: string) => this.#db.selectFrom(table as 'events').where(...this.#bound(table))) as never;
  }

  /** Inserts rows; `company_id` is filled in. */
  insertInto<T extends TenantTable>(table: T, rows: NewRow<T> | readonly NewRow<T>[]) {
    const list = (Array.isArray(rows) ? rows : [rows]) as NewRow<T>[];
    const bound = list.map((row) => ({ ...row, company_id: this.company_id }));
    return (this.#db as unknown as Query).insertInto(table).values(bound as never);
  }

  get updateTable(): Query['updateTable'] {
    return ((table: string) => this.#db.updateTable(table as 'events').where(...this.#bound(table))) as never;
  }

  get deleteFrom(): Query['deleteFrom'] {
    return ((table: string) => this.#db.deleteFrom(table as 'events').where(...this.#bound(table))) as never;
  }

  #bound(table: string) {
    const alias = table.split(' as ').at(-1)!.trim();
    return [`${alias}.company_id` as 'events.company_id', '=', this.company_id] as const;
  }

  /** The unbound builder, for `with` and raw SQL. The guard refuses statements that don't bind `company_id` themselves. */
  get raw(): Kysely<DB> {
    return this.#db;
  }

  /** The tables that belong to no company, on the same connection and in the same transaction. */
  get global(): QueryCreator<GlobalTables> {
    return this.#db as unknown as QueryCreator<GlobalTables>;
  }
}

/** A read-only snapshot of a company's tables. */
export class TenantSnapshot extends Tenant {
  #cursors = 0;
  #hasEnded = false;

  constructor(companyId: string, transaction: Transaction<DB>) {
    super(companyId, transaction);
  }

  /** Called by the owner when the connection returns to the pool. */
  end(): void {
    this.#hasEnded = true;
  }

  async transaction<T>(): Promise<T> {
    throw new Error('a snapshot is for reading');
  }

  async snapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>): Promise<T> {
    return work(this);
  }

  /**
   * Streams the result of a query in batches. The query runs once; each batch has the statement timeout to itself. Postgres
   * fetches the next batch while the caller processes the current one, so two are in memory.
   * @param isIndexOrdered whether an index provides the order, so that the first batch arrives immediately. Otherwise Postgres
   * plans for the last row, because all rows are read.
   */
  async *groups<R>(query: Compilable<R>, rowsPerGroup: number, isIndexOrdered = false): AsyncGenerator<R[]> {
    const cursor = `rows_${++this.#cursors}`;
    const { sql: text, parameters } = query.compile();
    const fetchGroup = () => this.raw.executeQuery<R>(CompiledQuery.raw(`fetch ${rowsPerGroup} from ${cursor}`));
    const plannedFor = isIndexOrdered ? '0.1' : '1';
    await sql`select set_config('cursor_tuple_fraction', ${plannedFor}, true)`.execute(this.raw);
    await this.raw.executeQuery(CompiledQuery.raw(`declare ${cursor} no scroll cursor for ${text}`, [...parameters]));
    let fetching = fetchGroup();
    for (;;) {
      const { rows } = await fetching;
      if (this.#hasEnded) throw new Error('the snapshot has ended');
      const isLast = rows.length < rowsPerGroup;
      if (!isLast) {
        fetching = fetchGroup();
        fetching.catch(() => {}); // avoids an unhandled rejection if the caller stops here
      }
      if (rows.length > 0) yield rows;
      if (isLast) return;
    }
  }
}

/** A company's tables inside a transaction. Functions that write take this type, so they can't be called outside one. */
export class TenantTransaction extends Tenant {
  readonly #connection: Connection;
  /** Channels to notify once this has committed. */
  readonly announcements = new Set<string>();
  #attempts = 0;

  constructor(companyId: string, tx: Transaction<DB>, connection: Connection) {
    super(companyId, tx);
    this.#connection = connection;
  }

  async transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  /** A writing transaction isn't a snapshot: it sees commits of others. */
  async snapshot<T>(): Promise<T> {
    throw new Error('a snapshot is a transaction of its own');
  }

  /** Sends the statement immediately, so that statements which the code doesn't await in turn leave together. */
  override async run<R>(statement: Statement<R>): Promise<R[]> {
    return (await this.#connection.executeQuery<R>(statement)).rows;
  }

  /** Sends a statement whose result isn't awaited. It runs before all sent later; if it fails, the transaction does too. */
  write(statement: Statement): void {
    this.#connection.write(statement);
  }

  /** Runs `work` in a savepoint: if it throws, or one of its writes fails, they are rolled back and the transaction continues. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const savepoint = `attempt_${++this.#attempts}`; // unique, because attempts can be nested
    await sql`savepoint ${sql.raw(savepoint)}`.execute(this.raw);
    const announced = [...this.announcements];
    try {
      const result = await work();
      await this.#connection.settled();
      return result;
    } catch (error) {
      await this.#connection.undo(savepoint);
      this.announcements.clear();
      for (const channel of announced) this.announcements.add(channel);
      throw error;
    }
  }

  /** Sends a NOTIFY right behind the commit. */
  send(channel: string, payload: string): Promise<unknown> {
    return this.#connection.sendAfterCommit(notification(channel, [payload]));
  }

  /** Notifies listeners for this company after the commit. A crash in between loses the notification, so listeners also poll. */
  afterCommit(channel: string): void {
    this.announcements.add(channel);
  }

  override get global(): Transaction<GlobalTables> {
    return this.raw as unknown as Transaction<GlobalTables>;
  }
}

export type NewRow<T extends TenantTable> = Omit<InsertObject<TenantTables, T>, 'company_id'>;
