/** Changes of second factors, in the audit logs of the companies where the person is active. */
import { recordForUser } from '../../platform/audit/account-entries.ts';
import type { AuditActor, AuditEntry, Origin } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import type { FactorKind } from './factors.ts';

export function recordFactorAdded(db: Database, user_id: string, kind: FactorKind, origin: Origin): Promise<void> {
  return record(db, user_id, { action: 'second_factor.added', actor: themselves(user_id), origin, details: { kind } });
}

export function recordFactorRemoved(db: Database, user_id: string, kind: FactorKind, origin: Origin): Promise<void> {
  return record(db, user_id, {
    action: 'second_factor.removed',
    actor: themselves(user_id),
    origin,
    details: { kind },
  });
}

/** New recovery codes, in place of those there were. */
export function recordCodesRenewed(db: Database, user_id: string, origin: Origin): Promise<void> {
  return record(db, user_id, { action: 'recovery_codes.renewed', actor: themselves(user_id), origin });
}

function record(db: Database, user_id: string, entry: Omit<AuditEntry, 'target'>): Promise<void> {
  return recordForUser(db, user_id, { ...entry, target: { type: 'user', id: user_id } });
}

function themselves(user_id: string): AuditActor {
  return { type: 'user', user_id };
}
