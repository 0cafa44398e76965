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
export function createWatchdog(silenceMs: number): Watchdog {
  const controller = new AbortController();
  let isResting = false;
  const timer = setTimeout(() => {
    if (!isResting) controller.abort(new Error(`nothing moved for ${silenceMs} ms`));
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
