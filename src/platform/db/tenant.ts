/**
 * One company's tables. Every statement that starts here is bound to the company; the guard refuses what slips through.
 */
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
import type { Statement } from '../connection/kept-statement.ts';
import { notification } from '../notify/notification.ts';
import type { GlobalTables, TenantTable, TenantTables } from '../tenancy/tables.ts';

type Query = Kysely<TenantTables>;

/** A company's tables, in a transaction or not. Only `Database.tenant()` makes these. */
export abstract class Tenant {
  readonly company_id: string;
  readonly #db: Kysely<DB>;

  constructor(companyId: string, db: Kysely<DB>) {
    this.company_id = companyId;
    this.#db = db;
  }

  /**
   * Runs `work` in one transaction: what it wrote exists together or not at all. No network call belongs inside. Within
   * a transaction, `work` becomes a part of it.
   * @returns what `work` returns, once committed
   */
  abstract transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `work` on one state of the company: what others write meanwhile is not seen. For reading much of it at leisure:
   * `work` may wait, say for a store that takes bytes slowly. Holds a connection until `work` is done.
   * @param longestPauseMs between two statements; the database ends the transaction after it
   */
  abstract snapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>, longestPauseMs?: number): Promise<T>;

  /** The same on a replica, where there is one, with everything in it that was committed before; else on the primary. */
  async replicaSnapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>): Promise<T> {
    return this.snapshot(work);
  }

  /**
   * Runs a statement that `pointRead` compiled; in a transaction on its connection, so that it sees what was written there.
   * @param statement bound to this company by its parameters, which the guard checks
   */
  async read<R>(statement: Statement<R>): Promise<R[]> {
    return this.ask(statement);
  }

  /** Runs a statement that `preparedQuery` compiled. */
  async ask<R>(statement: Statement<R>): Promise<R[]> {
    return (await this.#db.executeQuery<R>(statement)).rows;
  }

  /** Rows of this company; takes `table as alias` too. Joined tables are bound with `onRef('x.company_id', …)`. */
  get selectFrom(): Query['selectFrom'] {
    return ((table: string) => this.#db.selectFrom(table as 'events').where(...this.#bound(table))) as never;
  }

  /** New rows of this company; `company_id` is filled in. */
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

  /**
   * The unbound builder, for statements the methods above can't start (`with`, raw SQL). The guard refuses them unless
   * they name `company_id` themselves.
   */
  get raw(): Kysely<DB> {
    return this.#db;
  }

  /** The tables that belong to no company, on the same connection and in the same transaction. */
  get global(): QueryCreator<GlobalTables> {
    return this.#db as unknown as QueryCreator<GlobalTables>;
  }
}

/** A company's tables as they were at one moment, to be read only. */
export class TenantSnapshot extends Tenant {
  #cursors = 0;
  #hasEnded = false;

  constructor(companyId: string, transaction: Transaction<DB>) {
    super(companyId, transaction);
  }

  /** From here on the connection is somebody else's. Called by who began it. */
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
   * What a query finds, in groups. The query runs once, and each group is a statement of its own to the database's limit
   * of time. Postgres finds a group while the one before it is worked on: so two of them are in memory.
   * @param walksOrder whether the order is that of an index: then the first group is there at once, and the others while
   *   it is worked on. Otherwise Postgres plans for the last row, because this reads to the end.
   */
  async *groups<R>(query: Compilable<R>, rowsAGroup: number, walksOrder = false): AsyncGenerator<R[]> {
    const cursor = `rows_${++this.#cursors}`;
    const { sql: text, parameters } = query.compile();
    const fetchGroup = () => this.raw.executeQuery<R>(CompiledQuery.raw(`fetch ${rowsAGroup} from ${cursor}`));
    const plannedFor = walksOrder ? '0.1' : '1';
    await sql`select set_config('cursor_tuple_fraction', ${plannedFor}, true)`.execute(this.raw);
    await this.raw.executeQuery(CompiledQuery.raw(`declare ${cursor} no scroll cursor for ${text}`, [...parameters]));
    let fetching = fetchGroup();
    for (;;) {
      const { rows } = await fetching;
      if (this.#hasEnded) throw new Error('the snapshot has ended');
      const isLast = rows.length < rowsAGroup;
      if (!isLast) {
        fetching = fetchGroup();
        fetching.catch(() => {}); // who stops here does not want to hear of it
      }
      if (rows.length > 0) yield rows;
      if (isLast) return;
    }
  }
}

/** A company's tables inside a transaction: what functions that write take, so that they can't be called outside one. */
export class TenantTransaction extends Tenant {
  readonly #connection: Connection;
  /** What is announced once this has committed. */
  readonly announcements = new Set<string>();
  #attempts = 0;

  constructor(companyId: string, tx: Transaction<DB>, connection: Connection) {
    super(companyId, tx);
    this.#connection = connection;
  }

  async transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  /** A transaction that writes may see what others wrote since it began. */
  async snapshot<T>(): Promise<T> {
    throw new Error('a snapshot is a transaction of its own');
  }

  /** Sends it at once, whatever was asked before it: what the code asks without waiting leaves together. */
  override async ask<R>(statement: Statement<R>): Promise<R[]> {
    return (await this.#connection.executeQuery<R>(statement)).rows;
  }

  /**
   * Sends a statement whose result nobody waits for. It is carried out before all that is sent after it; when it fails, the
   * transaction fails with its error.
   */
  write(statement: Statement): void {
    this.#connection.write(statement);
  }

  /**
   * Runs `work`, and undoes what it wrote when it throws, or when one of its writes fails, while the transaction goes on.
   * @throws what `work` throws
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const savepoint = `attempt_${++this.#attempts}`; // a name of its own: one attempt may hold another
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

  /** Tells who listens on a channel, right behind the commit. */
  say(channel: string, payload: string): Promise<unknown> {
    return this.#connection.behindCommit(notification(channel, [payload]));
  }

  /**
   * Wakes who listens on a channel for this company, once this has committed. A crash in between loses the wake-up, so
   * listeners look by themselves now and then.
   */
  afterCommit(channel: string): void {
    this.announcements.add(channel);
  }

  override get global(): Transaction<GlobalTables> {
    return this.raw as unknown as Transaction<GlobalTables>;
  }
}

export type NewRow<T extends TenantTable> = Omit<InsertObject<TenantTables, T>, 'company_id'>;
