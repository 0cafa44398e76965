/** A stall detector: a timeout that restarts whenever there is progress. */

export interface Watchdog {
  /** Aborted after the time without progress. */
  signal: AbortSignal;
  /** Reports progress. */
  moved(): void;
  /** Pauses until the next progress. */
  rest(): void;
  end(): void;
}

/** @param silenceMs the longest time without progress */
export function createWatchdog(silenceMs: number): Watchdog {
  const controller = new AbortController();
  let isResting = false;
  const timer = setTimeout(() => {
    if (!isResting) controller.abort(new Error(`no data for ${silenceMs} ms`));
  }, silenceMs);
  return {
    signal: controller.signal,
    moved() {
      isResting = false;
      timer.refresh();
    },
    rest() {
      isResting = true;
    },
    end: () => clearTimeout(timer),
  };
}
