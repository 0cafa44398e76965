/**
 * Where the database of a test run keeps its files: in memory where there is room (`/dev/shm`, Linux), else in the folder
 * for temporary files.
 *
 * A run makes a database for each test file, of some 600 files each. On a disk that takes 0.3 s, in memory 0.02 s.
 */
import { access, constants, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';

/** What a run was seen to need at most is a third of it: the write-ahead log, and a few databases at a time. */
const neededBytes = 2 * 2 ** 30;

/** @returns a new folder, for who asked to remove */
export async function databaseFolder(): Promise<string> {
  return mkdtemp(join((await hasRoom(inMemory)) ? inMemory : tmpdir(), 'collaborator-api-test-'));
}

/** Whether somebody may write there, and both the folder and the memory of this machine have room. */
async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes;
  } catch {
    return false;
  }
}
