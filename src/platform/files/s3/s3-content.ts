/** Verifies the body of an S3 response: the reader gets the complete object or an error, never a truncated one. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { outage, StoreError } from '../store/store-error.ts';
import { truncatedBody } from './s3-errors.ts';
import { createWatchdog } from './watchdog.ts';

interface Expected {
  bytes: number | undefined;
  /** Of the whole object, in hex; undefined for a range, and for objects stored before hashes were. */
  sha256: string | undefined;
  /** How long the store may send nothing while data is awaited. */
  silence_ms: number;
}

/** The last chunk is withheld until the whole is verified. */
export function verifiedContent(body: Readable, expected: Expected): Readable {
  body.on('error', () => {}); // reading reports it
  const content = Readable.from(verified(body, expected), { objectMode: false });
  content.once('close', () => body.destroy()); // releases the connection if nobody reads
  return content.on('error', () => {}); // the reader gets the error, maybe later
}

async function* verified(body: Readable, { bytes, sha256, silence_ms: silenceMs }: Expected): AsyncGenerator<Buffer> {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  const watchdog = createWatchdog(silenceMs);
  const silent = new StoreError(`the store sent nothing for ${silenceMs} ms`, { isSilent: true });
  watchdog.signal.addEventListener('abort', () => body.destroy(silent));
  let received = 0;
  let waiting: Buffer | undefined;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      received += piece.length;
      if (bytes !== undefined && received > bytes) throw new StoreError('the store sent more bytes than announced');
      hash?.update(piece);
      watchdog.rest(); // a slow reader isn't the store's fault
      if (waiting) yield waiting;
      waiting = piece;
      watchdog.moved();
    }
    if (bytes !== undefined && received < bytes) throw new StoreError(`the store sent ${received} of ${bytes} bytes`);
    if (hash && hash.digest('hex') !== sha256) {
      throw new StoreError('the store returned different bytes than were uploaded', { isDamage: true });
    }
    watchdog.rest();
    if (waiting) yield waiting;
  } catch (error) {
    throw outage(truncatedBody(error));
  } finally {
    watchdog.end();
  }
}
