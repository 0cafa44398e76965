// Ends what a script started, however the script ends: by itself, an uncaught error, Ctrl-C, or SIGTERM.
import { exit } from '../../src/platform/process/exit.ts';

const cleanups = new Set<() => void>();

/** Registers synchronous cleanup for an early exit. @returns unregisters it, after a regular shutdown */
export function beforeExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) {
    process.on('exit', runCleanups);
    // Not only once: make passes on what its process group gets, and a second signal without a listener ends the process at once.
    process.on('SIGINT', exitWithError);
    process.on('SIGTERM', exitWithError);
  }
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
    if (cleanups.size > 0) return;
    process.off('exit', runCleanups);
    process.off('SIGINT', exitWithError);
    process.off('SIGTERM', exitWithError);
  };
}

function exitWithError(): void {
  exit(1);
}

function runCleanups(): void {
  for (const cleanup of [...cleanups].reverse()) {
    try {
      cleanup();
    } catch {} // the others have to end as well
  }
}
