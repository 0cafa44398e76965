/** Unpacks zip archives with a different library than the service writes them with. */
import { fromBufferPromise } from 'yauzl';

/** @returns the files by name, in archive order */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry);
    files.set(entry.fileName, Buffer.concat(await content.toArray()));
  }
  return files;
}
