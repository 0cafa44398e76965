/** Where an answer that is kept for an `Idempotency-Key` is sealed: who replays it and who erases it name the same place. */
import type { Place } from './secrets.ts';

export function answerPlace(companyId: string, keyHash: Buffer): Place {
  return ['idempotency_keys', 'body_encrypted', companyId, keyHash];
}
