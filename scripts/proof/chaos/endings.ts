// Cleans up everything the script started, however it ends: uncaught error or Ctrl-C.
import { exit } from '../../../src/platform/process/exit.ts';

const endings = new Set<() => void>();

/** Registers synchronous cleanup for an early exit. @returns unregisters it, after a regular shutdown */
export function beforeExit(ending: () => void): () => void {
  if (endings.size === 0) {
    process.once('exit', endAll);
    process.once('SIGINT', endFailed);
    process.once('SIGTERM', endFailed);
  }
  endings.add(ending);
  return () => {
    endings.delete(ending);
    if (endings.size > 0) return;
    process.off('exit', endAll);
    process.off('SIGINT', endFailed);
    process.off('SIGTERM', endFailed);
  };
}

function endFailed(): void {
  exit(1);
}

function endAll(): void {
  for (const ending of [...endings].reverse()) {
    try {
      ending();
    } catch {} // the others have to end as well
  }
}
