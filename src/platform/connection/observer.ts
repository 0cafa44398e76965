/** Callbacks for database activity. They run for every request, so they must be fast and must not throw. */
export interface DatabaseObserver {
  /**
   * A statement has ended.
   * @param text without parameter values
   * @param startedMs by `performance.now()`, when it was handed to a connection
   * @param rows returned or changed
   * @param error why it failed, or undefined
   */
  statement(text: string, startedMs: number, rows: number, error: unknown): void;
  /**
   * @param waitMs how long a caller waited for a pool connection
   * @param error why it got none, or undefined
   */
  acquired(waitMs: number, error: unknown): void;
}

export interface PoolFigures {
  /** Open connections. */
  total: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Connections shared by point reads. */
  pipelines: number;
  /** Unanswered statements on those connections. */
  pipelined: number;
}
