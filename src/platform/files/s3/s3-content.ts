/**
 * The body of an answer of an S3 store, held against what is known of the object: whoever reads it gets the whole of it or
 * an error, never a part that looks like the whole.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { outage, StoreFault } from '../store/store-fault.ts';
import { brokenBody } from './s3-errors.ts';
import { createWatchdog } from './watchdog.ts';

interface Expected {
  /** Undefined where the store did not say. */
  bytes: number | undefined;
  /** Of the whole object, in hex; undefined for a part of it, and for objects from before hashes were kept. */
  sha256: string | undefined;
  /** How long the store may send nothing while it is waited for. */
  silence_ms: number;
}

/** The last piece is held back until the whole is known to be right. */
export function verifiedContent(body: Readable, expected: Expected): Readable {
  body.on('error', () => {}); // it is heard of by reading
  const content = Readable.from(verified(body, expected), { objectMode: false });
  content.once('close', () => body.destroy()); // who never reads it must not keep the connection
  return content.on('error', () => {}); // whoever reads it hears of it, which may be later
}

async function* verified(body: Readable, { bytes, sha256, silence_ms: silenceMs }: Expected): AsyncGenerator<Buffer> {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  const watchdog = createWatchdog(silenceMs);
  const silent = new StoreFault(`the store sent nothing for ${silenceMs} ms`, { isSilent: true });
  watchdog.signal.addEventListener('abort', () => body.destroy(silent));
  let got = 0;
  let waiting: Buffer | undefined;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      got += piece.length;
      if (bytes !== undefined && got > bytes) throw new StoreFault('the store sent more than it announced');
      hash?.update(piece);
      watchdog.rest(); // how long the reader takes is not the store's fault
      if (waiting) yield waiting;
      waiting = piece;
      watchdog.moved();
    }
    if (bytes !== undefined && got < bytes) throw new StoreFault(`the store sent ${got} of ${bytes} bytes`);
    if (hash && hash.digest('hex') !== sha256) {
      throw new StoreFault('the store sent other bytes than it was given', { isDamage: true });
    }
    watchdog.rest();
    if (waiting) yield waiting;
  } catch (error) {
    throw outage(brokenBody(error));
  } finally {
    watchdog.end();
  }
}
