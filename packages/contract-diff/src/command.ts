// Starts the command line: `--help` and README.md describe it.
import { statSync } from 'node:fs';
import module from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';

// Compiling takes longer than comparing. Node 20 has no cache for it.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const argv = process.argv.slice(2);
/** Schemas that refer to each other in chains of thousands need a deep stack, which only a thread can have. */
const deepStackMb = 900;
/** Files above this may hold such chains; below it, starting a thread is not worth its time. */
const largeBytes = 2_000_000;

if (isMainThread && argv.some(isLarge)) again();
else
  try {
    const { main } = await import('./command-line.ts');
    process.exitCode = await main(argv);
  } catch (error) {
    // The stack was too small after all. Nothing was printed yet.
    if (error instanceof RangeError && isMainThread) again();
    else fail(error);
  }

/** Does all of it in a thread with a deep stack. */
function again(): void {
  const thread = new Worker(new URL(import.meta.url), { argv, resourceLimits: { stackSizeMb: deepStackMb } });
  thread.on('error', fail);
  thread.on('exit', (code) => {
    process.exitCode = code;
  });
}

/** A fault of ours must look neither like a judgement, which is exit code 1, nor like a wrong document. */
function fail(error: unknown): void {
  console.error('openapi-contract-diff failed. This is a bug in the tool, not in the documents:');
  console.error(error);
  process.exitCode = 3;
}

function isLarge(argument: string): boolean {
  const file = statSync(argument, { throwIfNoEntry: false });
  return file?.isFile() === true && file.size > largeBytes;
}
