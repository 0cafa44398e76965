import type { components } from '../../../../generated/api.ts';
import type { ImportRow } from '../state/find-import.ts';

export type UndoReason = components['schemas']['ImportUndoReason'];
type UndoStatus = 'available' | 'running' | 'completed' | 'expired' | 'unavailable';

/** People who stayed, as stored with the import: without names, which are looked up on read. */
export interface UndoReport {
  kept: { reason: UndoReason; count: number }[];
  people: { id: string; reason: UndoReason }[];
}

const undoableMs = 24 * 3_600_000;

export function undoStatus(row: ImportRow): UndoStatus {
  if (row.undo_completed_at !== null) return 'completed';
  if (row.undo_requested_at !== null) return 'running';
  const until = undoableUntil(row);
  if (until === null) return 'unavailable';
  return Date.parse(until) > Date.now() ? 'available' : 'expired';
}

/** @returns null if it hasn't ended, or added no one */
export function undoableUntil(row: ImportRow): string | null {
  const { dry_run: dryRun, due_at: dueAt, created_count: created, completed_at: completedAt } = row;
  if (dryRun || dueAt !== null || created === 0 || completedAt === null) return null;
  return new Date(Date.parse(completedAt) + undoableMs).toISOString();
}
