/**
 * Exits the process immediately. `process.exit` can deadlock: a compiler thread waits for a garbage collection that only the main
 * thread can run (nodejs/node#54918), in one of twenty processes that exit soon after their start on a busy machine. So this
 * module compiles baselines on the main thread, at no measurable cost.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-concurrent-sparkplug');

/** Exits with a code (default: `process.exitCode`), without waiting for open handles. */
export function exit(code = process.exitCode): never {
  // biome-ignore lint/plugin: the one place
  process.exit(code);
}
