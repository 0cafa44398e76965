/**
 * Cursors: where a list goes on, by the values its rows are sorted by. They are sealed, because a sorted value may be
 * more than the client is shown, and bound to the list they came from: company, operation, filters, order.
 */
import { createHash } from 'node:crypto';
import { say } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { type EncryptionKeys, type Place, vault } from '../secrets/secrets.ts';
import { canonicalJson } from '../values/canonical-json.ts';

export interface Cursors {
  /**
   * @param position JSON values
   * @param binding a JSON value; the order of its keys and keys that are undefined do not count
   */
  seal(position: readonly unknown[], binding: unknown): string;
  /** @throws 400 `invalid_cursor` unless it was sealed here, for an equal binding */
  open(cursor: string, binding: unknown): unknown[];
}

/** It stands in no table; what it is for stands in it. */
const place: Place = ['cursor'];

export function createCursors(encryptionKeys: EncryptionKeys): Cursors {
  const { seal, open } = vault(encryptionKeys, 'cursors');
  return {
    seal: (position, binding) => seal(JSON.stringify([digest(binding), position]), place).toString('base64url'),
    open(cursor, binding) {
      try {
        const sealed = Buffer.from(cursor, 'base64url');
        const [bound, position] = JSON.parse(open(sealed, place));
        // Decoding overlooks foreign characters, so an altered text could mean the same bytes.
        if (bound === digest(binding) && sealed.toString('base64url') === cursor) return position;
      } catch (error) {
        throw invalidCursor(error);
      }
      throw invalidCursor();
    },
  };
}

/**
 * A page of a list that was read one row further than it shows, to learn whether there is more.
 * @param cursorAfter what leads on from a row
 */
export function keysetPage<R>(rows: readonly R[], limit: number, cursorAfter: (row: R) => string) {
  const hasMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  return { rows: shown, pagination: { hasMore, nextCursor: hasMore ? cursorAfter(shown.at(-1)!) : null } };
}

function digest(binding: unknown): string {
  return createHash('sha256').update(canonicalJson(binding)).digest('base64url');
}

function invalidCursor(cause?: unknown): Problem {
  return new Problem(400, 'invalid_cursor', say`This cursor was altered, or belongs to other filters.`, { cause });
}
