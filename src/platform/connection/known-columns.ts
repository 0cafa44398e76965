/**
 * The columns of what a kept statement answers, asked for once on each connection. pg has Postgres describe them with every
 * use, reads the description, and finds a parser for each column.
 *
 * - It saves a message to Postgres and its answer, which for somebody's 20 columns is as long as the row, and the reading of it.
 * - It costs a few hundred bytes for each statement and connection, and it knows the insides of pg's `Query` (as
 *   `library-internals.ts` does, whose test fails with another version of pg).
 * - `DATABASE_PREPARED_STATEMENTS=false` keeps no statements, and so no columns. Behind a pooler they are described each time.
 * - When it is wrong, `test/platform/connection/known-columns.test.ts` fails.
 *
 * What is known stays true: Postgres refuses a kept statement whose columns have got other types (see `stale-plan.ts`). A
 * pooler may keep the statement anew on another connection, where that is not noticed.
 */
import pg from 'pg';

/** Of pg's Query and Result, what is used here. */
interface Columns {
  fields: unknown[];
  _parsers: unknown[];
  _prebuiltEmptyResultObject: object;
}

interface Insides extends pg.Query {
  name?: string;
  _result: Columns;
  _accumulateRows: boolean;
  prepare(connection: Protocol): void;
  handleCommandComplete(message: unknown, connection: Protocol): void;
}

/** What a query sends by. */
interface Protocol {
  parsedStatements: object;
  submittedNamedStatements: object;
  parse(message: unknown): void;
  bind(message: unknown): void;
  describe(message: unknown): void;
  execute(message: unknown): void;
  close(message: unknown): void;
  sync(): void;
  flush(): void;
}

const Query = pg.Query as unknown as new (...of: ConstructorParameters<typeof pg.Query>) => Insides;

/** A query that asks for its columns only where its connection does not know them yet. */
export class QueryOfKnownColumns extends Query {
  /** What its connection knows; undefined when the columns were not asked for. */
  #learned: Known | undefined;

  override prepare(connection: Protocol): void {
    const known = knownOn(connection);
    const columns = this.name === undefined ? undefined : known.columns.get(this.name);
    if (!columns) {
      this.#learned = known;
      super.prepare(connection);
      return;
    }
    this._result.fields = columns.fields;
    this._result._parsers = columns._parsers;
    this._result._prebuiltEmptyResultObject = columns._prebuiltEmptyResultObject;
    this._accumulateRows = true;
    super.prepare(known.without_description);
  }

  /** After the last row, so that what failed is asked for again. */
  override handleCommandComplete(message: unknown, connection: Protocol): void {
    if (this.#learned && this.name !== undefined) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      this.#learned.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
    super.handleCommandComplete(message, connection);
  }
}

interface Known {
  /** By the names of statements. */
  columns: Map<string, Columns>;
  /** The connection, as one that describes nothing. */
  without_description: Protocol;
}

const on_connections = new WeakMap<Protocol, Known>();

function knownOn(connection: Protocol): Known {
  let known = on_connections.get(connection);
  if (!known) {
    known = { columns: new Map(), without_description: withoutDescription(connection) };
    on_connections.set(connection, known);
  }
  return known;
}

function withoutDescription(connection: Protocol): Protocol {
  return {
    parsedStatements: connection.parsedStatements,
    submittedNamedStatements: connection.submittedNamedStatements,
    parse: (message) => connection.parse(message),
    bind: (message) => connection.bind(message),
    describe: () => {},
    execute: (message) => connection.execute(message),
    close: (message) => connection.close(message),
    sync: () => connection.sync(),
    flush: () => connection.flush(),
  };
}
