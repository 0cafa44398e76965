/** Ctrl-C handling: the first asks the command to stop and clean up, the second exits immediately. */
import { CliError } from './failure.ts';

/** Shell convention for a command ended by Ctrl-C: 128 plus the signal number. */
const interruptedExitCode = 130;

/** Runs `work` with a signal that Ctrl-C or SIGTERM aborts. `work` should throw the signal's reason after cleaning up. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new CliError('interrupted', interruptedExitCode));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
