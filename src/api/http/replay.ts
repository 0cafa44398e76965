/** How an answer is marked that was given before, and is given again (`idempotency.ts`). */

export const replayedHeader = 'Idempotency-Replayed';

/** Whether this is what was answered before, and nothing was done for it now. */
export function isReplay({ headers }: { headers?: Record<string, unknown> | undefined }): boolean {
  return headers?.[replayedHeader] !== undefined;
}
