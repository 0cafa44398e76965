/** The history of a collaborator: append-only, written in the transaction of the change it tells about. */
import { v7 as uuidv7 } from 'uuid';
import type { TenantTransaction } from '../db/tenant.ts';

export interface HistoryEntry {
  collaborator_id: string;
  /** What happened, in one word, for example `created`. */
  action: string;
  /** What happened, for people. */
  description: string;
  /** Who did it: the user the token speaks for; null for the operator's command line. */
  user_id: string | null;
}

export async function recordHistory(tx: TenantTransaction, entry: HistoryEntry): Promise<void> {
  await tx.insertInto('collaborator_history', { id: uuidv7(), ...entry }).execute();
}
