// Splits archives into parts, so that their content can be mutated without breaking the archive.
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

type Parts = Record<string, Buffer>;

export async function partsOf(archive: Buffer): Promise<Parts> {
  const parts: Parts = {};
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    parts[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  }
  return parts;
}

export async function archiveOf(parts: Parts): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(content, path, { compress: path !== 'mimetype' });
  zip.end();
  return buffer(zip.outputStream);
}
