// Whatever ends the script (an error nobody caught, Ctrl-C), nothing that it started stays behind.
import { exit } from '../../../src/platform/process/exit.ts';

const endings = new Set<() => void>();

/**
 * Registers what has to be done before this process may end, at once and without waiting.
 * @returns takes it back, when it was done in good order
 */
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
