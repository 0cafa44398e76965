/**
 * A connection as kysely uses it, with the tenant guard in front of every statement.
 *
 * Statements of a transaction are pipelined: each is sent without waiting for earlier responses, `begin` with the first statement
 * and `commit` with the last write. Postgres runs them in order. After a failed statement it refuses the rest and turns the
 * commit into a rollback; every waiting caller gets the first error, which is the cause.
 * - Saves a round trip for each write that isn't awaited, and two for the transaction.
 * - Costs clarity: such a write fails at the next awaited statement or at the commit. A write that may fail for a reason its
 *   caller handles, such as a duplicate address, must be awaited.
 * - To switch it off: `DATABASE_PIPELINING=off`.
 * - Tests: `test/platform/db/transactions.test.ts` and `test/platform/db/round-trips.test.ts`.
 */
import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { isReadOnly } from '../../contract/problem.ts';
import { guard } from '../tenancy/guard.ts';
import { inTurn } from './in-turn.ts';
import { gather } from './library-internals.ts';
import type { DatabaseObserver } from './observer.ts';
import { type Statement, sendStatement } from './prepared-statement.ts';
import { withFreshPlan } from './stale-plan.ts';

interface ConnectionOptions {
  borrow: () => Promise<pg.PoolClient>;
  /** The company that statements are bound to; undefined where tenant tables are off limits. */
  company_id: string | undefined;
  /** Whether named statements are prepared. */
  prepares: boolean;
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
    destroy: async () => {}, // the pool outlives every builder; `Database.close` closes it
  };
}

interface TrailingStatement {
  statement: Statement;
  settle(error: Error | undefined): void;
}

type PendingResult<R extends pg.QueryResultRow> = Promise<pg.QueryResult<R>>;

export class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #options: ConnectionOptions;
  readonly #inTurn = inTurn();
  /** The statement that starts the transaction, until it is sent with the first statement. */
  #opening: string | undefined;
  /** Whether the server has started a transaction. */
  #isInTransaction = false;
  /** Statements to send right behind the commit. */
  #trailing: TrailingStatement[] = [];
  /** The first failure in the transaction. */
  #failure: { error: unknown } | undefined;
  /** Settles when every statement sent so far is answered. */
  #lastResponse: Promise<unknown> = Promise.resolve();
  /** Whether the pool must discard the connection. */
  #isBroken = false;

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
  }

  async executeQuery<R>(statement: Statement<R>): Promise<QueryResult<R>> {
    this.#check(statement);
    this.#open();
    const { command, rowCount, rows } = await this.#run<R & pg.QueryResultRow>(statement);
    return { rows, ...(changing.has(command) && { numAffectedRows: BigInt(rowCount!) }) };
  }

  /** Sends a statement of a transaction without waiting for the response. @throws when the guard refuses it */
  write(statement: Statement): void {
    this.#check(statement);
    this.#open();
    if (!this.#isInTransaction) throw new Error('a write that nobody waits for belongs in a transaction');
    this.#run(statement).catch(() => {}); // the commit reports it
  }

  streamQuery(): never {
    throw new Error('many rows are read with a cursor: see TenantSnapshot.groups');
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const level = isolationLevel && `isolation level ${isolationLevel}`;
    const modes = [level, accessMode].filter(Boolean).join(' ');
    this.#opening = modes ? `start transaction ${modes}` : 'begin';
  }

  /** @throws the error of the first failed statement */
  async commit(): Promise<void> {
    const { pipelining } = this.#options;
    this.#opening = undefined;
    if (!this.#isInTransaction) return this.#sendTrailing(); // nothing was sent
    if (!pipelining) await this.#lastResponse;
    this.#throwFailure(); // the failed statement may never have been sent: Postgres wouldn't know of it, and would commit
    const committing = this.#run(CompiledQuery.raw('commit'));
    if (pipelining) this.#sendTrailing();
    const { command } = await committing;
    this.#isInTransaction = false;
    this.#sendTrailing();
    this.#throwFailure();
    // Postgres answers the commit of a failed transaction with ROLLBACK.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  /** Sends a statement in the same packet as the commit, as its own transaction. It may run even if the commit fails. */
  sendAfterCommit(statement: Statement): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#trailing.push({ statement, settle: (error) => (error ? reject(error) : resolve()) });
    return promise;
  }

  async rollback(): Promise<void> {
    this.#opening = undefined;
    if (!this.#isInTransaction) return;
    try {
      await this.#send(CompiledQuery.raw('rollback'));
    } catch {
      this.#isBroken = true; // Postgres rolls back when the connection is lost
    }
    this.#isInTransaction = false;
  }

  /** Waits until every statement sent so far is answered. @throws the error of the first failed statement */
  async settled(): Promise<void> {
    await this.#lastResponse;
    this.#throwFailure();
  }

  /** Rolls back to a savepoint and clears the failure; the transaction continues. */
  async undo(savepoint: string): Promise<void> {
    await this.#lastResponse;
    this.#failure = undefined;
    await this.#run(CompiledQuery.raw(`rollback to savepoint ${savepoint}`));
  }

  release(): void {
    for (const { settle } of this.#trailing.splice(0)) settle(new Error('nothing was committed'));
    this.#client.release(this.#isBroken);
  }

  #check({ sql, parameters }: Statement): void {
    guard(sql, parameters, this.#options.company_id);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #open(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    if (!opening) return;
    this.#isInTransaction = true;
    this.#send(CompiledQuery.raw(opening)).catch(() => {}); // the statement sent with it fails as well
  }

  #sendTrailing(): void {
    for (const { statement, settle } of this.#trailing.splice(0)) {
      sendStatement(this.#client, statement, this.#options.prepares, (error) => settle(error ?? undefined));
    }
  }

  async #run<R extends pg.QueryResultRow>(statement: Statement): PendingResult<R> {
    const { observer } = this.#options;
    const startedMs = performance.now();
    try {
      const send = () => this.#send<R>(statement);
      const result = await withFreshPlan(send, () => !this.#isInTransaction);
      observer?.statement(statement.sql, startedMs, Math.max(result.rows.length, result.rowCount ?? 0), undefined);
      return result;
    } catch (error) {
      observer?.statement(statement.sql, startedMs, 0, error);
      if (error instanceof Error) Error.captureStackTrace(error); // shows the caller rather than pg's socket handling
      this.#throwFailure();
      throw error;
    }
  }

  #send<R extends pg.QueryResultRow>(statement: Statement): PendingResult<R> {
    const post = () => this.#post<R>(statement);
    const response = this.#options.pipelining ? post() : this.#inTurn(post);
    this.#lastResponse = response.catch(() => {});
    return response;
  }

  #post<R extends pg.QueryResultRow>(statement: Statement): PendingResult<R> {
    const { pipelining, prepares } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<R>>();
    if (pipelining) gather(this.#client);
    // Uses a callback, because a statement that can't be sent fails in it synchronously: the commit may be next, and must know.
    sendStatement<R>(this.#client, statement, prepares, (error, result) => {
      if (!error) return resolve(result);
      if (this.#isInTransaction) this.#failure ??= { error };
      if (isReadOnly(error)) this.#isBroken = true; // a new connection may reach a writable server
      reject(error);
    });
    return promise;
  }
}

const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
