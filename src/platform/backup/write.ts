/**
 * Writes a backup: a folder, or one zip archive when the name ends with `.zip`. It is written under a temporary name
 * and renamed when complete, so that an interrupted one never looks like a backup.
 */
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
  /** @throws what `content` fails with, and when the disk does */
  add(name: string, content: Readable): Promise<Part>;
  /** Puts the backup in its place. */
  finish(): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}

/** Whether a backup of this name is one archive, rather than a folder. */
function isArchive(path: string): boolean {
  return path.endsWith('.zip');
}

/** @throws BackupError when there is something at `target`, or it can not be written */
export async function createBackup(target: string): Promise<BackupWriter> {
  const place = resolve(target);
  const draft = `${place}.partial`;
  if (await exists(place)) throw new BackupError(`there is something at ${target} already`);
  await rm(draft, { recursive: true, force: true }); // of one that was killed
  const writer = isArchive(place) ? await archiveWriter(draft) : await folderWriter(draft);
  return {
    ...writer,
    async finish() {
      await writer.finish();
      await rename(draft, place);
      await sync(dirname(place));
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
  zip.on('error', () => {}); // of a part: the code that adds the part gets it too
  const output = createWriteStream(path, { flags: 'wx', mode: fileMode, flush: true });
  await opened(output);
  const written = pipeline(zip.outputStream as unknown as Readable, output);
  written.catch(() => {}); // told by whatever is added next
  return {
    async add(name, content) {
      const meter = meterOf(name);
      const options = { compress: false, mode: 0o100000 | fileMode, forceZip64Format: true };
      zip.addReadStream(meter, name, options);
      // When the disk fails, nobody reads the part any more: it would wait for ever.
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

/** The names of what is in it are on the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
