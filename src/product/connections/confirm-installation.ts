/** An admin confirms an installation: it goes on, and they answer for it from now on. */
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { queueForInstallations } from './installation-jobs.ts';

interface ConfirmedInstallation {
  id: string;
  /** Who answered for it until now. */
  user_id: string;
  suspended_at: string | null;
}

/** Whether somebody may confirm it: not who installed it, where it is suspended because of them. */
export function mayConfirm({ user_id: userId, suspended_at: suspendedAt }: ConfirmedInstallation, by: string): boolean {
  return suspendedAt === null || userId !== by;
}

/** @param by an admin who may */
export async function confirmInstallation(
  tx: TenantTransaction,
  { id, suspended_at: suspendedAt }: ConfirmedInstallation,
  by: string,
): Promise<void> {
  await tx.global
    .updateTable('oauth_grants')
    .set({ user_id: by, suspended_at: null, confirmation_requested_at: null })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
  await notifyAccessChanged(tx.raw, { grant_id: id });
  if (suspendedAt !== null) await queueForInstallations(tx, 'followInstallations', [id]);
}
