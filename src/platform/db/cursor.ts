/** Pagination cursors: a list position. Encrypted, because clients may not see the sort values, and bound to their list. */
import { createHash } from 'node:crypto';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { type EncryptionKeys, type SealContext, vault } from '../secrets/secrets.ts';
import { canonicalJson } from '../values/canonical-json.ts';

export interface Cursors {
  /** @param position JSON values @param binding a JSON value; key order and undefined keys don't matter */
  seal(position: readonly unknown[], binding: unknown): string;
  /** @throws 400 `invalid_cursor` unless it was sealed by this service for an equal binding */
  open(cursor: string, binding: unknown): unknown[];
}

/** Cursors aren't stored in a table, so they have a place of their own. */
const context: SealContext = ['cursor'];

export function createCursors(encryptionKeys: EncryptionKeys): Cursors {
  const { seal, open } = vault(encryptionKeys, 'cursors');
  return {
    seal: (position, binding) => seal(JSON.stringify([digest(binding), position]), context).toString('base64url'),
    open(cursor, binding) {
      try {
        const sealed = Buffer.from(cursor, 'base64url');
        const [bound, position] = JSON.parse(open(sealed, context));
        // The base64url decoder ignores invalid characters, so an altered text could decode to the same bytes.
        if (bound === digest(binding) && sealed.toString('base64url') === cursor) return position;
      } catch (error) {
        throw invalidCursor(error);
      }
      throw invalidCursor();
    },
  };
}

/**
 * One page of a list, by the parameters of its request.
 * @param binding what the cursor belongs to, as for `seal`
 * @throws 400 `invalid_cursor`
 */
export function openPage<P extends readonly unknown[] = [string, string]>(
  { limit = 20, cursor }: { limit?: number; cursor?: string },
  cursors: Cursors,
  binding: unknown,
) {
  return {
    /** The rows to fetch: one extra to detect a next page. */
    count: limit + 1,
    after: cursor === undefined ? undefined : (cursors.open(cursor, binding) as unknown as P),
    of: <R>(found: readonly R[], positionOf: (row: R) => P) =>
      keysetPage(found, limit, (row) => cursors.seal(positionOf(row), binding)),
  };
}

/** A page of a list whose query fetched one extra row to detect a next page. */
export function keysetPage<R>(rows: readonly R[], limit: number, cursorAfter: (row: R) => string) {
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  return { rows: page, pagination: { hasMore, nextCursor: hasMore ? cursorAfter(page.at(-1)!) : null } };
}

function digest(binding: unknown): string {
  return createHash('sha256').update(canonicalJson(binding)).digest('base64url');
}

function invalidCursor(cause?: unknown): Problem {
  return new Problem(400, 'invalid_cursor', t`This cursor was altered, or belongs to other filters.`, { cause });
}
