/** Ctrl-C: the first asks a command to stop and clean up, the second ends it at once. */
import { Failure } from './failure.ts';

/** What a shell expects of a command that ended because of Ctrl-C: 128 and the number of the signal. */
const interruptedExitCode = 130;

/**
 * Runs `work` with a signal that is aborted by Ctrl-C (or SIGTERM).
 * @returns what `work` returns; `work` should throw the signal's reason once it has cleaned up
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new Failure('interrupted', interruptedExitCode));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
