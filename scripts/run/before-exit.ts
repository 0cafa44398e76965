// Ends what a script started, however the script ends: by itself, an uncaught error, Ctrl-C, or SIGTERM.
import { exit } from '../../src/platform/process/exit.ts';

const endings = new Set<() => void>();

/** Registers synchronous cleanup for an early exit. @returns unregisters it, after a regular shutdown */
export function beforeExit(ending: () => void): () => void {
  if (endings.size === 0) {
    process.on('exit', endAll);
    // Not only once: make passes on what its process group gets, and a second signal without a listener ends the process at once.
    process.on('SIGINT', endFailed);
    process.on('SIGTERM', endFailed);
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
