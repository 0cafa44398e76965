/** Reads a person's documents and history page by page, as far as visible to the reader. */
import type { Viewer } from '../../../identity/members/member.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import { historyViews, newestEntries } from '../../collaborators/write/history.ts';
import type { DocumentRow } from '../../documents/document-response.ts';
import { newestDocuments } from '../../documents/find-document.ts';

const rowsPerPage = 500;

type Position = [time: string, id: string];
export type HistoryEntry = Awaited<ReturnType<typeof historyViews>>[number];

export function documentsOf(snapshot: TenantSnapshot, { member }: Viewer, id: string): AsyncGenerator<DocumentRow[]> {
  return pages(
    async (after: Position | undefined) =>
      (await newestDocuments(snapshot, member, id, undefined, rowsPerPage, after)).rows,
    (row): Position => [row.uploaded_at, row.id],
  );
}

export async function* historyOf(snapshot: TenantSnapshot, viewer: Viewer, id: string): AsyncGenerator<HistoryEntry[]> {
  const found = pages(
    (after: Position | undefined) => newestEntries(snapshot, viewer.member, id, rowsPerPage, after),
    (row): Position => [row.timestamp, row.id],
  );
  for await (const rows of found) yield historyViews(snapshot, rows, viewer);
}

/** @param read returns the page after a position */
export async function* pages<T, P>(
  read: (after: P | undefined, count: number) => Promise<T[]>,
  positionOf: (row: T) => P,
): AsyncGenerator<T[]> {
  for (let after: P | undefined; ; ) {
    const rows = await read(after, rowsPerPage);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerPage) return;
    after = positionOf(rows.at(-1)!);
  }
}
