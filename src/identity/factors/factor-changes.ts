/** Records changes of second factors in audit logs. Entries are queued in the transaction of the change, so none is lost. */
import type { Transaction } from 'kysely';
import { queueForUser } from '../../platform/audit/account-entries.ts';
import type { AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import type { FactorKind } from './factors.ts';

interface Change {
  user_id: string;
  origin: Origin;
}

type Tx = Transaction<GlobalTables>;

export function recordFactorAdded(tx: Tx, change: Change, kind: FactorKind): Promise<void> {
  return record(tx, change, 'second_factor.added', { kind });
}

export function recordFactorRemoved(tx: Tx, change: Change, kind: FactorKind): Promise<void> {
  return record(tx, change, 'second_factor.removed', { kind });
}

export function recordCodesRenewed(tx: Tx, change: Change): Promise<void> {
  return record(tx, change, 'recovery_codes.renewed');
}

/** @param remaining how many remain */
export function recordCodeUsed(tx: Tx, change: Change, remaining: number): Promise<void> {
  return record(tx, change, 'recovery_code.used', { codes_left: remaining });
}

function record(
  tx: Tx,
  { user_id: userId, origin }: Change,
  action: string,
  details: NonNullable<AuditEntry['details']> = {},
): Promise<void> {
  const actor = { type: 'user', user_id: userId } as const;
  return queueForUser(tx, userId, { action, actor, origin, target: { type: 'user', id: userId }, details });
}
