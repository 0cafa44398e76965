/**
 * Ending a process where it stands.
 *
 * `process.exit` waits for V8's compiler threads. One that compiles a baseline in the background may wait for a garbage
 * collection, which only the main thread could do: the two wait for each other for ever (nodejs/node#54918), in one of
 * twenty processes that end soon after their start on a busy machine. So a process that ends this way compiles baselines on the
 * main thread from here on, which costs nothing that could be measured.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-concurrent-sparkplug');

/** Ends this process with a code (by default the one it has set), without waiting for what it still has open. */
export function exit(code = process.exitCode): never {
  // biome-ignore lint/plugin: the one place
  process.exit(code);
}
