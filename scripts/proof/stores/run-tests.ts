// Runs the file storage tests against a given store.
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJest } from '../run-jest.ts';

/** Tests that store, send, or delete files: in the storage layer, the API, and the worker. */
const testsOfFiles = [
  'test/platform/files/external-store.unit.test.ts',
  'test/platform/files/storage.unit.test.ts',
  'test/api/files/file-routes.test.ts',
  'test/api/operations/documents',
  'test/api/operations/exports',
  'test/api/operations/imports/importCollaborators.test.ts',
  'test/api/operations/imports/getImportTemplate.test.ts',
  'test/api/operations/collaborators/setPhoto.test.ts',
  'test/api/operations/collaborators/deletePhoto.test.ts',
  'test/product/exports/jobs.test.ts',
  'test/worker/removeOldImports.test.ts',
];

interface TestRun {
  code: number;
  passed: number;
  failed: number;
}

/**
 * @param storageUrl that the tests may write to
 * @param signal aborts the tests
 * @param only replaces the default list
 */
export async function runTests(storageUrl: string, signal: AbortSignal, only: string[] = []): Promise<TestRun> {
  const summary = join(tmpdir(), `test-store-${process.pid}.json`);
  const args = ['--json', `--outputFile=${summary}`, '--', ...(only.length > 0 ? only : testsOfFiles)];
  const env = { ...process.env, STORAGE_URL: '', TEST_STORAGE_URL: storageUrl };
  const code = await runJest(args, { env, signal });
  const { numPassedTests = 0, numFailedTests = 0 } = await readFile(summary, 'utf8').then(JSON.parse, () => ({}));
  await rm(summary, { force: true });
  return { code, passed: numPassedTests, failed: numFailedTests };
}
