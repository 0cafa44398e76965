/**
 * A connection as kysely uses it, by its public interface, with the guard in front of every statement.
 *
 * The statements of a transaction are pipelined: each is sent without waiting for the answers to those before, `begin` with
 * the first of them, and `commit` with the last write. Postgres carries them out in the order in which they were sent, and
 * answers in that order. After one that failed it refuses the others and makes the commit a rollback; whoever waits for one of
 * them hears of the first failure, which is the cause.
 *
 * - It saves a round trip for each write that nobody waits for, and two for the transaction.
 * - It costs clearness: such a write fails at the next statement that is waited for, or at the commit. What may be refused
 *   for a reason that its caller knows, such as a taken address, is waited for where it is written.
 * - `DATABASE_PIPELINING=off` sends one after another.
 * - When it is wrong, `test/platform/db/transactions.test.ts` fails, and `test/platform/db/round-trips.test.ts`.
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
import { type Statement, sendStatement } from './kept-statement.ts';
import { gather } from './library-internals.ts';
import type { DatabaseObserver } from './observer.ts';
import { withFreshPlan } from './stale-plan.ts';

interface ConnectionOptions {
  /** Lends a connection of the pool. */
  borrow: () => Promise<pg.PoolClient>;
  /** The company that all statements act for; undefined where no tenant table may be touched. */
  company_id: string | undefined;
  /** Whether connections keep a statement that has a name. */
  keeping: boolean;
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

interface Behind {
  statement: Statement;
  settle(error: Error | undefined): void;
}

type Answer<R extends pg.QueryResultRow> = Promise<pg.QueryResult<R>>;

export class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #options: ConnectionOptions;
  readonly #inTurn = inTurn();
  /** What begins a transaction that has not had a statement yet. */
  #opening: string | undefined;
  /** Whether a transaction was begun at the database. */
  #hasBegun = false;
  /** What leaves right behind the commit. */
  #behind: Behind[] = [];
  /** Of the first statement of the transaction that failed. */
  #failure: { error: unknown } | undefined;
  /** Settles when all that was sent is answered. */
  #lastAnswer: Promise<unknown> = Promise.resolve();
  /** Whether nobody should have it again. */
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

  /**
   * Sends a statement of a transaction, and waits for nothing.
   * @throws when the guard refuses it
   */
  write(statement: Statement): void {
    this.#check(statement);
    this.#open();
    if (!this.#hasBegun) throw new Error('a write that nobody waits for belongs in a transaction');
    this.#run(statement).catch(() => {}); // the commit tells it
  }

  streamQuery(): never {
    throw new Error('many rows are read with a cursor: see TenantSnapshot.groups');
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const level = isolationLevel && `isolation level ${isolationLevel}`;
    const how = [level, accessMode].filter(Boolean).join(' ');
    this.#opening = how ? `start transaction ${how}` : 'begin';
  }

  /** @throws what the first statement failed with that did */
  async commit(): Promise<void> {
    const { pipelining } = this.#options;
    this.#opening = undefined;
    if (!this.#hasBegun) return this.#sendBehind(); // nothing was sent
    if (!pipelining) await this.#lastAnswer;
    this.#throwFailure(); // it may not even have left: then Postgres knows nothing of it, and would commit
    const committing = this.#run(CompiledQuery.raw('commit'));
    if (pipelining) this.#sendBehind();
    const { command } = await committing;
    this.#hasBegun = false;
    this.#sendBehind();
    this.#throwFailure();
    // How Postgres answers the commit of a transaction in which a statement has failed.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  /**
   * Has a statement follow the commit in the same packet, as a transaction of its own. Should nothing be committed in the end,
   * it may be carried out all the same.
   * @returns when it has been carried out
   */
  behindCommit(statement: Statement): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#behind.push({ statement, settle: (error) => (error ? reject(error) : resolve()) });
    return promise;
  }

  async rollback(): Promise<void> {
    this.#opening = undefined;
    if (!this.#hasBegun) return;
    try {
      await this.#send(CompiledQuery.raw('rollback'));
    } catch {
      this.#isBroken = true; // Postgres rolls back what loses its connection
    }
    this.#hasBegun = false;
  }

  /**
   * Waits for the answers to all that was sent.
   * @throws what the first statement failed with that did
   */
  async settled(): Promise<void> {
    await this.#lastAnswer;
    this.#throwFailure();
  }

  /** Takes back what was written since a savepoint, and with it what failed; the transaction goes on. */
  async undo(savepoint: string): Promise<void> {
    await this.#lastAnswer;
    this.#failure = undefined;
    await this.#run(CompiledQuery.raw(`rollback to savepoint ${savepoint}`));
  }

  release(): void {
    for (const { settle } of this.#behind.splice(0)) settle(new Error('nothing was committed'));
    this.#client.release(this.#isBroken);
  }

  #check({ sql, parameters }: Statement): void {
    guard(sql, parameters, this.#options.company_id);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #open(): void {
    const beginning = this.#opening;
    this.#opening = undefined;
    if (!beginning) return;
    this.#hasBegun = true;
    this.#send(CompiledQuery.raw(beginning)).catch(() => {}); // what is sent with it fails as well
  }

  #sendBehind(): void {
    for (const { statement, settle } of this.#behind.splice(0)) {
      sendStatement(this.#client, statement, this.#options.keeping, (error) => settle(error ?? undefined));
    }
  }

  /** Tells the observer. */
  async #run<R extends pg.QueryResultRow>(statement: Statement): Answer<R> {
    const { observer } = this.#options;
    const startedMs = performance.now();
    try {
      const send = () => this.#send<R>(statement);
      const result = await withFreshPlan(send, () => !this.#hasBegun);
      observer?.statement(statement.sql, startedMs, Math.max(result.rows.length, result.rowCount ?? 0), undefined);
      return result;
    } catch (error) {
      observer?.statement(statement.sql, startedMs, 0, error);
      if (error instanceof Error) Error.captureStackTrace(error); // who asked, and not how pg reads its socket
      this.#throwFailure();
      throw error;
    }
  }

  #send<R extends pg.QueryResultRow>(statement: Statement): Answer<R> {
    const post = () => this.#post<R>(statement);
    const answer = this.#options.pipelining ? post() : this.#inTurn(post);
    this.#lastAnswer = answer.catch(() => {});
    return answer;
  }

  #post<R extends pg.QueryResultRow>(statement: Statement): Answer<R> {
    const { pipelining, keeping } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<R>>();
    if (pipelining) gather(this.#client);
    // By a callback, because what can't be sent fails in it at once: the commit has to know, which may leave at once, too.
    sendStatement<R>(this.#client, statement, keeping, (error, result) => {
      if (!error) return resolve(result);
      if (this.#hasBegun) this.#failure ??= { error };
      if (isReadOnly(error)) this.#isBroken = true; // another may lead to a server that takes changes
      reject(error);
    });
    return promise;
  }
}

const changing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
