/** Notices that nothing moves any more, however long the whole takes as long as something does. */

export interface Watchdog {
  /** Aborted when nothing has moved for the time. */
  signal: AbortSignal;
  /** Something moved. */
  moved(): void;
  /** Nothing is expected from here on, until something moves again. */
  rest(): void;
  end(): void;
}

/** @param silence_ms how long nothing may move */
export function createWatchdog(silence_ms: number): Watchdog {
  const controller = new AbortController();
  let is_resting = false;
  const timer = setTimeout(() => {
    if (!is_resting) controller.abort(new Error(`nothing moved for ${silence_ms} ms`));
  }, silence_ms);
  return {
    signal: controller.signal,
    moved() {
      is_resting = false;
      timer.refresh();
    },
    rest() {
      is_resting = true;
    },
    end: () => clearTimeout(timer),
  };
}
