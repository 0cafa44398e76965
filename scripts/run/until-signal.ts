// The signals that stop a local service.
import { exit } from '../../src/platform/process/exit.ts';

const sameSignalMs = 2_000;

/**
 * Resolves at the first SIGTERM or SIGINT. A later one exits immediately, unless it follows within two seconds: make passes on what
 * its whole process group gets, so one signal arrives twice.
 */
export function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstMs: number | undefined;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      firstMs ??= performance.now();
      if (performance.now() - firstMs > sameSignalMs) exit(1);
      resolve();
    });
  }
  return promise;
}
