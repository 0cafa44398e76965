/** The place of an encrypted response stored for an `Idempotency-Key`, shared by replay and erasure. */
import type { Place } from './secrets.ts';

export function responseContext(companyId: string, keyHash: Buffer): Place {
  return ['idempotency_keys', 'body_encrypted', companyId, keyHash];
}
