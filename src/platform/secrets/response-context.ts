/** The place of an encrypted response stored for an `Idempotency-Key`, shared by replay and erasure. */
import type { SealContext } from './secrets.ts';

export function responseContext(companyId: string, keyHash: Buffer): SealContext {
  return ['idempotency_keys', 'body_encrypted', companyId, keyHash];
}
