/** A temporary file for an upload to an S3 store, which needs length and hash before the first byte. */
import { createHash, getFips, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder } from '../store/make-folder.ts';

const chunkBytes = 65_536;

export interface Spooled {
  size: number;
  /** In hex. */
  sha256: string;
  /** In hex; the ETag of most stores. Undefined where the system forbids MD5 (FIPS). */
  md5: string | undefined;
}

/** An unlinked file: it disappears when it is closed or the process ends. */
export async function openSpool(dataDir: string): Promise<FileHandle> {
  const folder = join(dataDir, 'spool');
  await makeFolder(folder, 0o700);
  const path = join(folder, randomBytes(16).toString('hex'));
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  return handle;
}

export async function writeSpool(spool: FileHandle, content: Readable): Promise<Spooled> {
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

/** Reads the file from its beginning, and leaves it open: Node's own streams would close it, or block closing it. */
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

/** Waits until reading has stopped. */
export async function spoolRead(body: Readable): Promise<void> {
  if (body.closed) return;
  const closed = new Promise((resolve) => body.once('close', resolve));
  body.on('error', () => {}).destroy();
  await closed;
}
