/** Opens a zip archive as whoever gets one does: with a library that the service does not write with. */
import { fromBufferPromise } from 'yauzl';

/** @returns the files by name, in their order */
export async function unpacked(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry);
    files.set(entry.fileName, Buffer.concat(await content.toArray()));
  }
  return files;
}
