/** Ends synchronizations that went idle, removes old ones, and warns of old tokens. */
import { type Selectable, sql } from 'kysely';
import type { DirectorySyncs } from '../../../generated/db.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../platform/mail/mail-queue.ts';
import { adminRecipients } from '../companies/admin-recipients.ts';
import { emit } from '../events/emit.ts';
import type { SyncMeter } from './directory-meter.ts';

const idleMinutes = 10;
const retentionDays = 30;
/** They name people who may never have become collaborators. */
const errorRetentionDays = 90;
const oldTokenDays = 90;
const syncColumns = [
  'id',
  'directory_id',
  'started_at',
  'last_request_at',
  'ended_at',
  'last_success_at',
  'created',
  'changed',
  'unchanged',
  'removed',
  'failed',
] as const satisfies (keyof DirectorySyncs)[];

/** Ends idle synchronizations with an event, removes old ones and old errors, and notes which directories fail. @returns how many ended */
export async function expireSyncs(tenant: Tenant, meter: SyncMeter): Promise<number> {
  const outcomes = await tenant.transaction(async (tx) => {
    const ended = await tx
      .updateTable('directory_syncs')
      .set({ ended_at: sql<string>`last_request_at` })
      .where('ended_at', 'is', null)
      .where('last_request_at', '<', sql<string>`now() - make_interval(mins => ${idleMinutes}::int)`)
      .returning(syncColumns)
      .execute();
    const names = await namesOf(tx);
    for (const sync of ended) {
      const { directory_id: id, id: syncId, started_at: startedAt, ended_at: endedAt } = sync;
      const { created, changed, unchanged, removed, failed } = sync;
      const about = { id, name: names.get(id) ?? '', sync_id: syncId, started_at: startedAt, ended_at: endedAt! };
      const event = failed > 0 ? 'directory.failed' : 'directory.synced';
      if (names.has(id)) emit(tx, event, { ...about, created, changed, unchanged, removed, failed });
    }
    await tx
      .deleteFrom('directory_syncs')
      .where('ended_at', '<', sql<string>`now() - make_interval(days => ${retentionDays}::int)`)
      .execute();
    await tx
      .deleteFrom('directory_errors')
      .where('last_at', '<', sql<string>`now() - make_interval(days => ${errorRetentionDays}::int)`)
      .execute();
    const open = await tx.selectFrom('directory_syncs').select(syncColumns).where('ended_at', 'is', null).execute();
    for (const sync of [...ended, ...open]) await noteHealth(tx, sync);
    return ended.map(({ failed }): 'failed' | 'succeeded' => (failed > 0 ? 'failed' : 'succeeded'));
  });
  for (const outcome of outcomes) meter.ended(outcome);
  return outcomes.length;
}

type Sync = Pick<Selectable<DirectorySyncs>, (typeof syncColumns)[number]>;

/** A directory fails while all is refused that its provider sends, for as long as a synchronization may be quiet. */
async function noteHealth(tx: TenantTransaction, sync: Sync): Promise<void> {
  const { last_request_at: lastAt, last_success_at: successAt, started_at: startedAt } = sync;
  const isFailing = successAt === null || Date.parse(lastAt) - Date.parse(successAt) > idleMinutes * 60_000;
  await tx.global
    .updateTable('directories')
    .set({
      ...(successAt !== null && { last_success_at: successAt }),
      failing_since: isFailing ? sql<string>`coalesce(failing_since, ${successAt ?? startedAt}::timestamptz)` : null,
    })
    .where('id', '=', sync.directory_id)
    .where('company_id', '=', tx.company_id)
    .execute();
}

/** Mails the admins about each token older than 90 days, again after another 90. @returns the number of tokens */
export async function warnOfOldTokens(tenant: Tenant, mail: MailQueue): Promise<number> {
  return tenant.transaction(async (tx) => {
    const old = sql<string>`statement_timestamp() - make_interval(days => ${oldTokenDays}::int)`;
    const found = await tx.global
      .updateTable('directories')
      .set({ token_age_told_at: sql<string>`statement_timestamp()` })
      .where('company_id', '=', tx.company_id)
      .where('token_created_at', '<', old)
      .where(({ eb, or }) => or([eb('token_age_told_at', 'is', null), eb('token_age_told_at', '<', old)]))
      .returning(['id', 'name', 'token_created_at'])
      .execute();
    if (found.length === 0) return 0;
    const { company, admins } = await adminRecipients(tx);
    const mails = found.flatMap((directory) => {
      const days = Math.floor((Date.now() - Date.parse(directory.token_created_at)) / 86_400_000);
      const about = {
        company,
        directory: directory.name,
        days,
        consolePath: `/console/${tx.company_id}/directories/${directory.id}`,
      };
      return admins.map(
        ({ name, email: to, language }): Mail => ({
          template: 'directory_token',
          to,
          language,
          values: { name, ...about },
        }),
      );
    });
    await mail.queueOfCompany(tx, mails);
    return found.length;
  });
}

async function namesOf(tx: TenantTransaction): Promise<Map<string, string>> {
  const found = tx.global.selectFrom('directories').select(['id', 'name']).where('company_id', '=', tx.company_id);
  return new Map((await found.execute()).map(({ id, name }) => [id, name]));
}
