/** Retries an export after a failed attempt, or fails it. */
import { sql } from 'kysely';
import { sentences, type Text, t } from '../../contract/languages/text.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { isOutage } from '../../platform/files/store/store-error.ts';
import { SheetError } from '../../platform/sheets/model/error.ts';
import { ExportFailure } from './content/export-failure.ts';
import { underLease } from './export-lease.ts';
import { failureText } from './export-response.ts';
import type { ExportRow } from './find-export.ts';

const maxAttempts = 3;
/** Crashes before the export fails: it may be their cause. */
const maxDeaths = 2;

/** @throws ExportFailure for an export that must not be started again */
export function rejectCrashing({ attempts, deaths }: ExportRow): void {
  if (deaths >= maxDeaths) {
    throw new ExportFailure(
      t`The service stopped ${deaths} times while creating this export, so it isn't retried. Use filters to export less.`,
    );
  }
  if (attempts > maxAttempts) throw new Error('every process that started it has died');
}

/** @param pauseS until the next attempt, multiplied by the number of failures */
export async function afterFailure(
  tenant: Tenant,
  row: ExportRow,
  error: unknown,
  pauseS: number,
): Promise<'failed' | 'tried again'> {
  // Storage outages don't count: the export can be retried until it expires.
  const attempts = isOutage(error) ? row.attempts - 1 : row.attempts;
  const message = messageOf(error) ?? (attempts >= maxAttempts ? retriesExhausted : undefined);
  if (message === undefined) {
    const dueAt = sql<string>`now() + make_interval(secs => ${pauseS * row.attempts}::int)`;
    await underLease(tenant, row).set({ status: 'queued', attempts, due_at: dueAt }).execute();
    return 'tried again';
  }
  await underLease(tenant, row)
    .set({
      status: 'failed',
      failure_message: failureText(message, 'en'),
      failure_said: JSON.stringify(message.stored()),
      completed_at: sql<string>`statement_timestamp()`,
      due_at: null,
    })
    .execute();
  return 'failed';
}

/** Returns the export on shutdown, without counting the attempt. */
export async function releaseJob(tenant: Tenant, row: ExportRow): Promise<void> {
  await underLease(tenant, row)
    .set({ status: 'queued', attempts: row.attempts - 1, due_at: sql<string>`now()` })
    .execute();
}

const retriesExhausted = t`The export could not be finished. Export again.`;

/** The message for the requester; undefined for errors unrelated to this export. */
function messageOf(error: unknown): Text | undefined {
  if (error instanceof ExportFailure) return error.text;
  if (!(error instanceof SheetError)) return undefined;
  return error.code === 'too_many_rows' ? sentences(error.text, t`Use csv or json, or filters.`) : error.text;
}
