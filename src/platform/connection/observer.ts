/** Callbacks for database activity. They run for every request, so they must be fast and must not throw. */
export interface DatabaseObserver {
  /**
   * @param text without parameter values
   * @param startedMs by `performance.now()`, when it was handed to a connection
   * @param rows returned or changed
   */
  statement(text: string, startedMs: number, rows: number, error: unknown): void;
  /** @param waitMs how long a caller waited for a pool connection @param error why it got none */
  acquired(waitMs: number, error: unknown): void;
}

export interface PoolStats {
  total: number;
  idle: number;
  waiting: number;
  /** Connections shared by point reads. */
  pipelines: number;
  /** Unanswered statements on those connections. */
  pipelined: number;
}
