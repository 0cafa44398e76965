// Runs the file storage tests against a store: `make proof NAME=store STORAGE_URL=s3://… [TESTS=…]`, in a temporary prefix.
import { interruptible } from '../../../packages/cli/src/terminal/interrupt.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { runTests } from './run-tests.ts';
import { createTemporaryStore } from './temporary-store.ts';

const { STORAGE_URL } = process.env;
if (!STORAGE_URL) {
  console.error(
    'STORAGE_URL is missing: make proof NAME=store STORAGE_URL="s3://key:secret@bucket?endpoint=https://…"',
  );
  exit(2);
}
try {
  const store = await createTemporaryStore(STORAGE_URL, 'test');
  try {
    process.exitCode = await interruptible(
      async (signal) => (await runTests(store.url, signal, process.argv.slice(2))).code,
    );
  } finally {
    await store.remove();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exit();
