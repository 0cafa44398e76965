/** How a company's admins sign in, as counts only, which don't disclose the admins without a second factor. */
import { usersWithFactor } from '../../identity/factors/factors.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { activeAdmins } from '../collaborators/membership/admins.ts';

/** Two statements, because people are company data, and their accounts aren't. */
export async function adminsByFactor(tenant: Tenant): Promise<{ count: number; without_second_factor: number }> {
  const rows = await activeAdmins(tenant).select('user_id').execute();
  const ids = rows.map(({ user_id: userId }) => userId!);
  return { count: ids.length, without_second_factor: ids.length - (await usersWithFactor(tenant.global, ids)) };
}
