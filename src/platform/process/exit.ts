/**
 * Exits the process immediately.
 *
 * `process.exit` waits for V8's compiler threads. A background baseline compilation may wait for a garbage collection that only
 * the main thread can run, a deadlock (nodejs/node#54918) that hit one in twenty processes exiting soon after their start on a
 * busy machine. So this module compiles baselines on the main thread, at no measurable cost.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-concurrent-sparkplug');

/** Exits with a code (default: `process.exitCode`), without waiting for open handles. */
export function exit(code = process.exitCode): never {
  // biome-ignore lint/plugin: the one place
  process.exit(code);
}
