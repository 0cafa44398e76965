/** Writes a backup as a folder or zip archive, under a temporary name until it is complete. */
import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { makeFolder } from '../files/store/make-folder.ts';
import { BackupError, type Part } from './manifest.ts';

const fileMode = 0o600;
const folderMode = 0o700;

export interface BackupWriter {
  /** @throws errors of `content` and of the disk */
  add(name: string, content: Readable): Promise<Part>;
  /** Moves the backup to its final name. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

function isArchive(path: string): boolean {
  return path.endsWith('.zip');
}

/** @throws BackupError when `target` exists or isn't writable */
export async function createBackup(target: string): Promise<BackupWriter> {
  const resolvedTarget = resolve(target);
  const draft = `${resolvedTarget}.partial`;
  if (await exists(resolvedTarget)) throw new BackupError(`${target} already exists`);
  await rm(draft, { recursive: true, force: true }); // left by a killed process
  const writer = isArchive(resolvedTarget) ? await archiveWriter(draft) : await folderWriter(draft);
  return {
    ...writer,
    async finish() {
      await writer.finish();
      await rename(draft, resolvedTarget);
      await sync(dirname(resolvedTarget));
    },
    async abandon() {
      await writer.abandon();
      await rm(draft, { recursive: true, force: true });
    },
  };
}

async function folderWriter(folder: string): Promise<BackupWriter> {
  await mkdir(folder, { mode: folderMode });
  const folders = new Set([folder]);
  return {
    async add(name, content) {
      const path = join(folder, name);
      await makeFolder(dirname(path), folderMode);
      folders.add(dirname(path));
      const meter = meterOf(name);
      await pipeline(content, meter, createWriteStream(path, { flags: 'wx', mode: fileMode, flush: true }));
      return meter.part();
    },
    async finish() {
      for (const each of folders) await sync(each);
    },
    async abandon() {},
  };
}

async function archiveWriter(path: string): Promise<BackupWriter> {
  const zip = new ZipFile();
  zip.on('error', () => {}); // an error of a part: the code that adds the part gets it too
  const output = createWriteStream(path, { flags: 'wx', mode: fileMode, flush: true });
  await opened(output);
  const written = pipeline(zip.outputStream as unknown as Readable, output);
  written.catch(() => {}); // reported when the next part is added
  return {
    async add(name, content) {
      const meter = meterOf(name);
      const options = { compress: false, mode: 0o100000 | fileMode, forceZip64Format: true };
      zip.addReadStream(meter, name, options);
      // If the disk fails, nobody reads the part anymore, and the pipeline would never settle.
      const failed = written.then(() => new Promise<never>(() => {}));
      await Promise.race([pipeline(content, meter), failed]);
      await Promise.race([finished(meter), failed]);
      return meter.part();
    },
    async finish() {
      zip.end();
      await written;
    },
    async abandon() {
      output.destroy();
      await written.catch(() => {});
    },
  };
}

function meterOf(name: string): Transform & { part(): Part } {
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return Object.assign(meter, { part: () => ({ name, bytes, sha256: hash.digest('hex') }) });
}

function opened(stream: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.on('error', reject);
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

/** Flushes the folder's entries to the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
