/** Snoozes of items that need attention, shared by all admins of a company. Items are opaque ids here. */
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { lockNamed } from '../../platform/db/named-lock.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { beyondLimits, limitsOf } from '../access/installation-limits.ts';

type Snooze = components['schemas']['Snooze'];
type SnoozeInput = components['schemas']['SnoozeInput'];

const columns = ['kind', 'item_id', 'until', 'snoozed_by'] as const;

/** Per company. */
const maxSnoozes = 500;

/** Active snoozes, the next to end first. */
export async function currentSnoozes(tenant: Tenant): Promise<Snooze[]> {
  return tenant
    .selectFrom('snoozes')
    .select(columns)
    .where('until', '>', new Date().toISOString())
    .orderBy('until')
    .orderBy('kind')
    .orderBy('item_id')
    .limit(maxSnoozes)
    .execute();
}

/** @throws 403 for an installation; 409 at the company's limit */
export async function snooze(
  tenant: Tenant,
  { user_id: userId }: { user_id: string },
  { kind, item_id: itemId, days }: SnoozeInput,
): Promise<Snooze> {
  return tenant.transaction(async (tx) => {
    if (await limitsOf(tx, userId)) throw beyondLimits(t`An installed app can't snooze anything.`);
    // Serialize, so that two requests can't both take the last place, and drop ended snoozes.
    await lockNamed(tx, 'snoozes');
    await tx.deleteFrom('snoozes').where('until', '<=', new Date().toISOString()).execute();
    await tx.deleteFrom('snoozes').where('kind', '=', kind).where('item_id', '=', itemId).execute();
    if (days === null) return { kind, item_id: itemId, until: null, snoozed_by: null };
    await requireRoom(tx);
    const until = new Date(Date.now() + days * 86_400_000).toISOString();
    return tx
      .insertInto('snoozes', { kind, item_id: itemId, until, snoozed_by: userId })
      .returning(columns)
      .executeTakeFirstOrThrow();
  });
}

async function requireRoom(tx: TenantTransaction): Promise<void> {
  if ((await countRows(tx.selectFrom('snoozes'))) < maxSnoozes) return;
  throw new Problem(409, 'conflict', t`A company can have ${maxSnoozes} snoozes. Wait until some have ended.`);
}
