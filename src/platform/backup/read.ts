/** Reads a backup, folder or archive, and verifies its parts. */
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise } from 'yauzl';
import { BackupError, type Part } from './manifest.ts';

export interface BackupReader {
  /** @throws BackupError when the part is missing or unreadable */
  part(name: string): Promise<Readable>;
  close(): Promise<void>;
}

/** @throws BackupError when there is no backup at `source` */
export async function openBackup(source: string): Promise<BackupReader> {
  const found = await stat(source).catch(() => undefined);
  if (!found) throw new BackupError(`there is no backup at ${source}`);
  return found.isDirectory() ? folderReader(source) : archiveReader(source);
}

export async function readWhole(reader: BackupReader, name: string): Promise<string> {
  return (await buffer(await reader.part(name))).toString('utf8');
}

export async function* readLines<T>(reader: BackupReader, name: string): AsyncGenerator<T> {
  const packed = await reader.part(name);
  const text = packed.pipe(createGunzip());
  packed.on('error', (error) => text.destroy(error));
  let rest = '';
  // Doesn't use readline, which doesn't pass on errors of its input.
  for await (const piece of text.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== '') yield JSON.parse(rest);
}

/** @throws BackupError when the part doesn't match the manifest */
export async function checkPart(reader: BackupReader, { name, bytes, sha256 }: Part): Promise<void> {
  const hash = createHash('sha256');
  let length = 0;
  try {
    for await (const chunk of await reader.part(name)) {
      hash.update(chunk as Buffer);
      length += (chunk as Buffer).length;
    }
  } catch (error) {
    throw error instanceof BackupError ? error : damaged(name, (error as Error).message);
  }
  if (length !== bytes) throw damaged(name, `it has ${length} bytes instead of ${bytes}`);
  if (hash.digest('hex') !== sha256) throw damaged(name, 'its content has changed');
}

function folderReader(folder: string): BackupReader {
  return {
    async part(name) {
      const handle = await open(join(folder, name)).catch((error: Error) => {
        throw damaged(name, error.message);
      });
      return handle.createReadStream().on('error', () => {}); // the reader gets the error
    },
    close: async () => {},
  };
}

async function archiveReader(path: string): Promise<BackupReader> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: Error) => {
    throw new BackupError(`${path} is not a complete archive: ${error.message}`);
  });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return {
    async part(name) {
      const entry = entries.get(name);
      if (!entry) throw damaged(name, 'it is missing');
      return Readable.from(await zip.openReadStreamPromise(entry), { objectMode: false }).on('error', () => {});
    },
    close: async () => zip.close(),
  };
}

function damaged(name: string, reason: string): BackupError {
  return new BackupError(`the backup is damaged: ${name}: ${reason}`);
}
