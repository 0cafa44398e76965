/** Where an upload passes through on its way to an S3 store, which needs length and hash before the first byte. */
import { createHash, getFips, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder } from '../store/make-folder.ts';

const chunkBytes = 65_536;

/** What was spooled. */
export interface Spooled {
  size: number;
  /** In hex. */
  sha256: string;
  /** In hex: most stores have it as their ETag. Undefined where the system allows no MD5 (FIPS). */
  md5: string | undefined;
}

/** A file without a name: it is gone when it is closed, or when the process ends in whatever way. */
export async function openSpool(dataDir: string): Promise<FileHandle> {
  const folder = join(dataDir, 'spool');
  await makeFolder(folder, 0o700);
  const path = join(folder, randomBytes(16).toString('hex'));
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  return handle;
}

export async function fillSpool(spool: FileHandle, content: Readable): Promise<Spooled> {
  const sha256 = createHash('sha256');
  const md5 = getFips() === 0 ? createHash('md5') : undefined;
  let size = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sha256.update(chunk);
    md5?.update(chunk);
    size += chunk.length;
    await spool.appendFile(chunk);
  }
  return { size, sha256: sha256.digest('hex'), md5: md5?.digest('hex') };
}

/**
 * Of the file from its beginning. It stays open: streams of node's own would close it, or keep it from closing.
 * @param onPiece told of each piece that is asked for
 */
export function bytesOfSpool(spool: FileHandle, onPiece: () => void): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0; ; ) {
        const { buffer, bytesRead } = await spool.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
        onPiece();
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    })(),
    { objectMode: false },
  );
}

/** Waits until nothing is read any more. */
export async function spoolRead(body: Readable): Promise<void> {
  if (body.closed) return;
  const closed = new Promise((resolve) => body.once('close', resolve));
  body.on('error', () => {}).destroy();
  await closed;
}
