// Entry point of the command; see `--help` and README.md.
import { statSync } from 'node:fs';
import module from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';

// Compiling takes longer than comparing. Node 20 has no compile cache.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const argv = process.argv.slice(2);
/** Chains of thousands of schema references need a deep stack, which only a thread can have. */
const deepStackMb = 900;
/** Only larger files may have such chains; for smaller ones, starting a thread costs too much. */
const largeBytes = 2_000_000;

if (isMainThread && argv.some(isLarge)) runInThread();
else
  try {
    const { main } = await import('./command-line.ts');
    process.exitCode = await main(argv);
  } catch (error) {
    // Stack overflow: nothing has been printed yet, so retry in a thread.
    if (error instanceof RangeError && isMainThread) runInThread();
    else fail(error);
  }

/** Runs everything in a thread with a deep stack. */
function runInThread(): void {
  const thread = new Worker(new URL(import.meta.url), { argv, resourceLimits: { stackSizeMb: deepStackMb } });
  thread.on('error', fail);
  thread.on('exit', (code) => {
    process.exitCode = code;
  });
}

/** An internal error must not look like a verdict (exit code 1) or an invalid document. */
function fail(error: unknown): void {
  console.error('openapi-contract-diff failed. This is a bug in the tool, not in the documents:');
  console.error(error);
  process.exitCode = 3;
}

function isLarge(argument: string): boolean {
  const file = statSync(argument, { throwIfNoEntry: false });
  return file?.isFile() === true && file.size > largeBytes;
}
