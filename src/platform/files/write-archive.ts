/** Writes a zip archive as it is read by whoever takes it: one file after the other, nothing kept. */
import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. */
interface ArchivedFile {
  /** With slashes between folders. */
  name: string;
  content: Readable;
}

/**
 * @param files are asked for one by one, each when the one before is written
 * @returns the bytes; what goes wrong with a file is an error of this stream. Destroying it ends the reading.
 */
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
  output.on('error', () => {}); // whoever begins to read later hears of it then
  output.once('close', () => current?.destroy());
  write()
    .catch((error: Error) => output.destroy(error))
    .finally(() => current?.destroy());
  return output;
}
