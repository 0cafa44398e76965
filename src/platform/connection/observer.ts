/** Who is told what the database does: on the path of every request, so each call must be quick, and none may throw. */
export interface DatabaseObserver {
  /**
   * A statement has ended.
   * @param text without the values of its parameters
   * @param startedMs by `performance.now()`, when it was handed to a connection
   * @param rows returned or changed
   * @param error what it failed with, else undefined
   */
  statement(text: string, startedMs: number, rows: number, error: unknown): void;
  /**
   * @param waitMs how long somebody waited for a connection of the pool
   * @param error why there was none, else undefined
   */
  acquired(waitMs: number, error: unknown): void;
}

/** The state of the connections of this process. */
export interface PoolFigures {
  /** Connections that are open. */
  total: number;
  idle: number;
  /** Who waits for a connection. */
  waiting: number;
  /** Connections that point reads share. */
  pipelines: number;
  /** Statements on those, sent or to be sent, that have no answer yet. */
  pipelined: number;
}
