/** Headcount by month and department, computed from the records of today. */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Member } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { dayIn } from '../../../platform/values/time-zones.ts';
import { companyTimeZone } from '../fields/employment-dates.ts';
import { matchingCollaborators } from '../list/collaborator-filters.ts';

type Headcount = components['schemas']['Headcount'];

const monthCount = 12;
const maxDepartments = 20;

interface HeadcountRow {
  /** Months counted from year 0, as `12 * year + month - 1`; those before the first shown one are together in the one before it. */
  moves: { month: number; joiners: number; leavers: number }[] | null;
  departments: Headcount['departments'] | null;
}

interface Dates {
  /** The company's time zone. */
  zone: string;
  today: string;
  before: number;
}

export async function headcountOf(tenant: Tenant, member: Member): Promise<Headcount> {
  const zone = await companyTimeZone(tenant);
  const today = dayIn(zone, new Date());
  const current = monthOf(today);
  const before = current - monthCount;
  const { moves, departments } = await countPeople(tenant, member, { zone, today, before });
  const byMonth = new Map(moves?.map((each) => [each.month, each]));
  const movesOf = (month: number) => byMonth.get(month) ?? { joiners: 0, leavers: 0 };
  const earlier = movesOf(before);
  let headcount = earlier.joiners - earlier.leavers;
  const months = Array.from({ length: monthCount }, (_, at) => {
    const { joiners, leavers } = movesOf(before + 1 + at);
    headcount += joiners - leavers;
    return { month: formatMonth(before + 1 + at), headcount, joiners, leavers };
  });
  const listedDepartments = departments ?? [];
  const listedHeadcount = listedDepartments.reduce((sum, each) => sum + each.headcount, 0);
  return { headcount, months, departments: listedDepartments, other_departments: headcount - listedHeadcount };
}

/** One statement, for one snapshot: it reads each person once, and returns a row for each month and department. */
async function countPeople(tenant: Tenant, member: Member, { zone, today, before }: Dates): Promise<HeadcountRow> {
  const dated = matchingCollaborators(tenant, member, {}).select([
    'department',
    sql`coalesce(hire_date, (created_at at time zone ${zone})::date)`.as('first_day'),
    // Those who became inactive today have left; a last day is still worked.
    sql`case when status = 'inactive' then least(termination_date, (status_since at time zone ${zone})::date)
      when termination_date < ${today}::date then termination_date end`.as('last_day'),
  ]);
  const month = (day: string) =>
    sql`greatest((extract(year from ${sql.raw(day)}) * 12 + extract(month from ${sql.raw(day)}))::int - 1, ${before}::int)`;
  const { rows } = await sql<HeadcountRow>`
    with dated as (${dated}),
    people as materialized (
      select department, ${month('first_day')} as joined,
        case when last_day is not null then ${month('greatest(first_day, last_day)')} end as gone
      from dated where first_day <= ${today}::date
    ),
    moves as (
      select joined as month, count(*) as joiners, 0 as leavers from people group by joined
      union all
      select gone, 0, count(*) from people where gone is not null group by gone
    ),
    months as (select month, sum(joiners)::int as joiners, sum(leavers)::int as leavers from moves group by month),
    departments as (
      select department, count(*)::int as headcount from people where gone is null
      group by department order by count(*) desc, department collate "C" limit ${sql.lit(maxDepartments)}
    )
    select
      (select json_agg(jsonb_build_object('month', month, 'joiners', joiners, 'leavers', leavers)) from months) as moves,
      (select json_agg(jsonb_build_object('department', department, 'headcount', headcount)) from departments)
        as departments`.execute(tenant.raw);
  return rows[0]!;
}

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function formatMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}
