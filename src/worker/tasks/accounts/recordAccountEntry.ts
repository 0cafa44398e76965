/** Writes an audit entry about an account in the companies it concerns. */
import type { Task } from 'graphile-worker';
import { type AccountEntry, recordAccountEntry as record } from '../../../platform/audit/account-entries.ts';
import type { Database } from '../../../platform/db/client.ts';

export function recordAccountEntry(db: Database): Task {
  return (payload) => record(db, payload as AccountEntry);
}
