/** Import list filters in the URL. Empty filters are omitted. */
import type { ImportFilters, ImportStatus } from '../../api/imports.ts';

export const statuses: readonly ImportStatus[] = [
  'queued',
  'validating',
  'processing',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
];

export function readImportFilters({ status }: Record<string, unknown>): ImportFilters {
  return statuses.includes(status as ImportStatus) ? { status: status as ImportStatus } : {};
}
