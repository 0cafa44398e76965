// Compares two documents given as values.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContracts, type Options, type Result } from '../src/verdict/compare-contracts.ts';

/** Writes both to files, and compares the files, as users do. */
export async function compareValues(base: unknown, revised: unknown, options: Partial<Options> = {}): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-diff-'));
  try {
    const [baseFile, revisedFile] = [join(folder, 'base.json'), join(folder, 'revised.json')];
    await Promise.all([writeFile(baseFile, JSON.stringify(base)), writeFile(revisedFile, JSON.stringify(revised))]);
    return await compareContracts(baseFile, revisedFile, { changes: join(folder, 'changes'), ...options });
  } finally {
    await rm(folder, { recursive: true });
  }
}
