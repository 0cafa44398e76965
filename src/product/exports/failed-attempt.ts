/** What happens after a failed attempt at an export: it is retried, or fails. */
import { sql } from 'kysely';
import type { Tenant } from '../../platform/db/tenant.ts';
import { SheetError } from '../../platform/sheets/error.ts';
import { ExportFailure } from './content/export-failure.ts';
import { underLease } from './export-lease.ts';
import type { ExportRow } from './find-export.ts';

export const most_attempts = 3;

/**
 * @param error of the last attempt
 * @param pause_s until the next one, for each failure so far
 */
export async function afterFailure(
  tenant: Tenant,
  row: ExportRow,
  error: unknown,
  pause_s: number,
): Promise<'failed' | 'tried again'> {
  const message = messageOf(error) ?? (row.attempts >= most_attempts ? gave_up : undefined);
  if (message === undefined) {
    await underLease(tenant, row)
      .set({ status: 'queued', due_at: sql<string>`now() + make_interval(secs => ${pause_s * row.attempts}::int)` })
      .execute();
    return 'tried again';
  }
  await underLease(tenant, row)
    .set({ status: 'failed', failure_message: message, completed_at: sql<string>`clock_timestamp()`, due_at: null })
    .execute();
  return 'failed';
}

/** This process ends: another takes it up at once, and no attempt was lost. */
export async function giveBack(tenant: Tenant, row: ExportRow): Promise<void> {
  await underLease(tenant, row)
    .set({ status: 'queued', attempts: row.attempts - 1, due_at: sql<string>`now()` })
    .execute();
}

const gave_up = 'The export could not be finished. Please export again.';

/** What the one who asked for it is told; undefined for what is not about this export. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof ExportFailure) return error.message;
  if (!(error instanceof SheetError)) return undefined;
  const advice = error.code === 'too_many_rows' ? ' Use csv or json, or filters.' : '';
  return `${error.message}${advice}`;
}
