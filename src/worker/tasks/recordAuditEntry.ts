/** Writes an entry of the audit log that had to wait, because the company's machine of a cluster was lost. */
import type { Task } from 'graphile-worker';
import { type LateEntry, recordRow } from '../../platform/audit/account-entries.ts';
import type { Database } from '../../platform/db/client.ts';

export function recordAuditEntry(db: Database): Task {
  return (payload) => recordRow(db, payload as LateEntry);
}
