/** An admin confirms an installation, and becomes responsible for it. */
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { queueForInstallations } from './installation-jobs.ts';

interface ConfirmedInstallation {
  id: string;
  user_id: string;
  suspended_at: string | null;
}

/** Whether a person may confirm it: not the installer, if it is suspended because of them. */
export function canConfirm({ user_id: userId, suspended_at: suspendedAt }: ConfirmedInstallation, by: string): boolean {
  return suspendedAt === null || userId !== by;
}

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
