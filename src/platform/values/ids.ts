/** New ids: UUID version 7 (RFC 9562), which sort by creation, so rows written together are adjacent in every index. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes for many ids are generated at once, because each call has a high fixed cost. */
const pool = new Uint8Array(16 * 256);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/** The random bits are secure, but an id isn't a secret: it reveals its time, and neighboring ids are predictable. */
export function newId(): string {
  const random = sixteenBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // 31 bits, so that the sequence has room to count up.
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
