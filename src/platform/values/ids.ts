/**
 * New ids: UUID version 7 (RFC 9562), in lower case. They begin with the time, so rows that are written together lie
 * together in every index, and those of one process sort as they were made.
 */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are fetched for many ids at once: asking for them costs far more than having them. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/** The random bits are secure, but an id is no secret: it tells when it was made, and those before and after are near it. */
export function newId(): string {
  const random = sixteenBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // 31 bits, so that counting up from here does not soon come to the end.
    sequence = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs++;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}

function sixteenBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}
