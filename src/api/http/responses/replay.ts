/** The header that marks a replayed response (`idempotency.ts`). */

export const replayedHeader = 'Idempotency-Replayed';

export function isReplay({ headers }: { headers?: Record<string, unknown> | undefined }): boolean {
  return headers?.[replayedHeader] !== undefined;
}
