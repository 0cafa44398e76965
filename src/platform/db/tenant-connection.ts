/** One company's tables on pool connections: starts and ends transactions and snapshots. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Connection } from '../connection/connection.ts';
import { connectionOf } from '../connection/library-internals.ts';
import type { Statement } from '../connection/prepared-statement.ts';
import type { Notifier } from '../notify/announce.ts';
import { Tenant, TenantSnapshot, TenantTransaction } from './tenant.ts';

export interface TenantServices {
  announcer: Pick<Notifier, 'announce' | 'notifyWithCommit'>;
  /** Runs a statement on a shared connection. */
  read<R>(statement: Statement<R>, companyId: string): Promise<R[]>;
  /** A replica that has everything committed so far; undefined if there is none. */
  replica(): Promise<{ tenant(companyId: string): Tenant } | undefined>;
}

export interface TransactionWatcher {
  /** Called after the work, before the commit. @param result what the work returned */
  beforeEnd(tx: TenantTransaction, result: unknown): void;
  committed(): void;
}

export class TenantConnection extends Tenant {
  readonly #services: TenantServices;
  readonly #watcher: TransactionWatcher | undefined;

  constructor(companyId: string, db: Kysely<DB>, services: TenantServices, watcher?: TransactionWatcher) {
    super(companyId, db);
    this.#services = services;
    this.#watcher = watcher;
  }

  withWatcher(watcher: TransactionWatcher): Tenant {
    return new TenantConnection(this.company_id, this.raw, this.#services, watcher);
  }

  override read<R>(statement: Statement<R>): Promise<R[]> {
    return this.#services.read(statement, this.company_id);
  }

  async transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    let written: TenantTransaction | undefined;
    const result = await this.raw.transaction().execute(async (kysely) => {
      written = new TenantTransaction(this.company_id, kysely, await connectionOf<Connection>(kysely));
      const result = await work(written);
      this.#watcher?.beforeEnd(written, result);
      this.#announce(written);
      return result;
    });
    this.#watcher?.committed();
    for (const channel of written!.announcements) this.#services.announcer.announce(channel, this.company_id);
    return result;
  }

  /** Announcements that can't be sent along with the commit are sent after it. */
  #announce(tx: TenantTransaction): void {
    for (const channel of tx.announcements) {
      if (this.#services.announcer.notifyWithCommit(tx, channel, this.company_id)) tx.announcements.delete(channel);
    }
  }

  async snapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>, maxPauseMs = 60_000): Promise<T> {
    const transaction = this.raw.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return transaction.execute(async (kysely) => {
      await sql`select set_config('idle_in_transaction_session_timeout', ${String(maxPauseMs)}, true)`.execute(kysely);
      const snapshot = new TenantSnapshot(this.company_id, kysely);
      try {
        return await work(snapshot);
      } finally {
        snapshot.end();
      }
    });
  }

  override async replicaSnapshot<T>(work: (snapshot: TenantSnapshot) => Promise<T>): Promise<T> {
    const replica = await this.#services.replica();
    return (replica?.tenant(this.company_id) ?? this).snapshot(work);
  }
}
