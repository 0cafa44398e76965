/**
 * One company's tables. Every statement that starts here is bound to the company; the guard refuses what slips through.
 */
import type { Insertable, Kysely, QueryCreator, Transaction } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { GlobalTables, TenantTable, TenantTables } from './types.ts';

type Query = Kysely<TenantTables>;

class TenantQueries {
  readonly company_id: string;
  readonly #db: Kysely<DB>;

  /** Only `db/client.ts` makes these: ask `Database.tenant()`. */
  constructor(company_id: string, db: Kysely<DB>) {
    this.company_id = company_id;
    this.#db = db;
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

export class Tenant extends TenantQueries {
  /**
   * Runs `work` in one transaction: what it wrote exists together or not at all. No network call belongs inside.
   * @returns what `work` returns, once committed
   */
  transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.raw.transaction().execute((tx) => work(new TenantTransaction(this.company_id, tx)));
  }
}

/** A company's tables inside a transaction: what functions that write take, so that they can't be called outside one. */
export class TenantTransaction extends TenantQueries {
  readonly #transaction = true; // makes the type differ from Tenant's

  constructor(company_id: string, tx: Transaction<DB>) {
    super(company_id, tx);
    void this.#transaction;
  }

  override get global(): Transaction<GlobalTables> {
    return this.raw as unknown as Transaction<GlobalTables>;
  }
}

export type NewRow<T extends TenantTable> = Omit<Insertable<TenantTables[T]>, 'company_id'>;
