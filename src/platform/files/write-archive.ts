/** Streams a zip archive, one file after the other, as fast as it is read. */
import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

interface ArchivedFile {
  /** With slashes between folders. */
  name: string;
  content: Readable;
}

/** @param files requested one by one @returns the bytes; errors of a file are its errors. Destroying it stops the reading. */
export function writeArchive(files: AsyncIterable<ArchivedFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  let current: Readable | undefined;
  const write = async () => {
    for await (const { name, content } of files) {
      current = content;
      if (output.destroyed) break;
      zip.addReadStream(content, name);
      await finished(content, { writable: false });
    }
    zip.end();
  };
  zip.on('error', (error: Error) => output.destroy(error));
  output.on('error', () => {}); // a late reader still gets the error
  output.once('close', () => current?.destroy());
  write()
    .catch((error: Error) => output.destroy(error))
    .finally(() => current?.destroy());
  return output;
}
