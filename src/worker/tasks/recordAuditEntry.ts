/** Writes a deferred audit entry, whose company was on a cluster machine that was down. */
import type { Task } from 'graphile-worker';
import { type LateEntry, recordRow } from '../../platform/audit/account-entries.ts';
import type { Database } from '../../platform/db/client.ts';

export function recordAuditEntry(db: Database): Task {
  return (payload) => recordRow(db, payload as LateEntry);
}
