/**
 * Notifies subscribers a week and a day before a person's last day, and deactivates the person on the day after it, in the
 * company's time zone. Each notice is sent once per date, late after an outage, but not after the last day. The next run handles
 * people left over by the limit or a lock.
 */
import { sql } from 'kysely';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { daysAfter, daysBetween } from '../../platform/values/time-zones.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';
import { emitEach } from '../events/emit.ts';
import { companyDay, hasEnded } from './fields/employment-dates.ts';
import { lockAdmins } from './membership/admins.ts';
import { eventSubject } from './responses/collaborator-response.ts';
import { changeStatuses } from './status.ts';
import { reasonOfEnd } from './status-reasons.ts';
import { type CountedTransaction, counted } from './write/collaborator-counts.ts';
import { recordEach } from './write/history.ts';

const peoplePerTransaction = 100;
/** Per company and run, so that other companies get their turn. */
const maxPeople = 2_000;

export const firstNoticeDays = 7;
/** The notices: days before the last day, and the column that stores the announced date. */
const notices = [
  { days_before: firstNoticeDays, noted_in: 'termination_week_told' },
  { days_before: 1, noted_in: 'termination_day_told' },
] as const;

type Leaver = CollaboratorRow & { termination_date: string } & {
  [N in (typeof notices)[number]['noted_in'] | 'termination_held']: string | null;
};

export async function endEmployments(tenant: Tenant, now = new Date()): Promise<number> {
  // Most companies usually have none: they cost one index lookup.
  const today = await companyDay(tenant, now);
  let done = 0;
  for (let after = ''; done < maxPeople; ) {
    const people = await counted(tenant, (tx) => endBatch(tx, today, after));
    done += people.length;
    if (people.length < peoplePerTransaction) break;
    after = people.at(-1)!.id;
  }
  return done;
}

async function endBatch(tx: CountedTransaction, today: string, after: string): Promise<Leaver[]> {
  if (!(await isAnyDue(tx, today))) return [];
  const admins = new Set(await lockAdmins(tx));
  const people = await lockDue(tx, today, after);
  const ended = people.filter((person) => hasEnded(person, today));
  const lastAdmins = ended.filter(({ id }) => {
    if (!admins.has(id)) return false;
    if (admins.size === 1) return true;
    admins.delete(id);
    return false;
  });
  const leaving = ended.filter((person) => !lastAdmins.includes(person));
  const moves = leaving.map((row) => ({ row, to: 'inactive' as const, reason: reasonOfEnd(row.termination_date) }));
  await changeStatuses(tx, { user_id: null }, moves);
  await recordHeldTerminations(tx, lastAdmins);
  const upcoming = people.filter((person) => !hasEnded(person, today));
  for (const notice of notices) await announce(tx, notice, today, upcoming);
  return people;
}

async function isAnyDue(tx: TenantTransaction, today: string): Promise<boolean> {
  const found = await due(tx, today).select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}

/** People locked by another transaction are left to the next run. */
async function lockDue(tx: TenantTransaction, today: string, after: string): Promise<Leaver[]> {
  const rows = await due(tx, today)
    .select([
      ...collaboratorColumns,
      ...notices.map(({ noted_in: announcedColumn }) => announcedColumn),
      'termination_held',
    ])
    .$if(after !== '', (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(peoplePerTransaction)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return rows as Leaver[];
}

function due(tx: TenantTransaction, today: string) {
  return tx
    .selectFrom('collaborators')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`status <> 'inactive'`)
    .where('termination_date', '<=', daysAfter(today, firstNoticeDays))
    .where((eb) =>
      eb.or([
        eb('termination_date', '<', today),
        ...notices.map(({ days_before: daysBefore, noted_in: announcedColumn }) =>
          eb.and([
            eb('termination_date', '<=', daysAfter(today, daysBefore)),
            eb(announcedColumn, 'is distinct from', eb.ref('termination_date')),
          ]),
        ),
      ]),
    );
}

/** A company keeps its last admin, who is deactivated once there is another. Recorded once. */
async function recordHeldTerminations(tx: TenantTransaction, people: readonly Leaver[]): Promise<void> {
  const unannounced = people.filter(
    ({ termination_held: terminationHeld, termination_date: terminationDate }) => terminationHeld !== terminationDate,
  );
  recordEach(
    tx,
    unannounced.map((row) => ({
      collaborator_id: row.id,
      action: 'termination_held',
      description: `Not deactivated after the last day, ${row.termination_date}, as the last active admin of the company`,
      user_id: null,
    })),
  );
  await markAnnounced(tx, 'termination_held', unannounced);
}

async function announce(
  tx: TenantTransaction,
  { days_before: daysBefore, noted_in: announcedColumn }: (typeof notices)[number],
  today: string,
  people: readonly Leaver[],
): Promise<void> {
  const unannounced = people.filter((row) => {
    return row.termination_date <= daysAfter(today, daysBefore) && row[announcedColumn] !== row.termination_date;
  });
  emitEach(
    tx,
    'collaborator.termination_upcoming',
    unannounced.map((row) => ({
      ...eventSubject(row),
      external_id: row.external_id,
      employee_number: row.employee_number,
      manager_id: row.manager_id,
      termination_date: row.termination_date,
      days_before: daysBefore,
      days_left: daysBetween(today, row.termination_date),
    })),
  );
  await markAnnounced(tx, announcedColumn, unannounced);
}

/** Clients don't see this column, so the revision stays. */
async function markAnnounced(tx: TenantTransaction, column: keyof Leaver, people: readonly Leaver[]): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  await tx
    .updateTable('collaborators')
    .set({ [column]: sql`termination_date` })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
