/** Logs a failure that repeats, such as a lost connection: once, and again when its reason changes or after it ended. */
import type { Logger } from './log.ts';

interface RepeatedWarning {
  failed(error: Error): void;
  ended(): void;
}

export function createRepeatedWarning(log: Logger | undefined, message: string): RepeatedWarning {
  let logged: string | undefined;
  return {
    failed(error) {
      if (error.message !== logged) log?.warn({ err: error }, message);
      logged = error.message;
    },
    ended() {
      logged = undefined;
    },
  };
}
