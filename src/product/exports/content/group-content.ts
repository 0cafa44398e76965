/** The workbook of groups: a summary sheet, then one sheet per group. People are read once, and split at group boundaries. */
import { type RawBuilder, sql } from 'kysely';
import type { Language } from '../../../contract/languages/language.ts';
import { inLanguage, type Text, t } from '../../../contract/languages/text.ts';
import type { Member } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { type Sheet, type SheetColumn, sheetName } from '../../../platform/sheets/model/sheet.ts';
import type { Cell } from '../../../platform/sheets/model/types.ts';
import { writeWorkbook } from '../../../platform/sheets/xlsx/write-xlsx.ts';
import { columnHeaders } from '../../collaborators/column-headers.ts';
import { exportProperties } from '../../collaborators/export-mark.ts';
import { matchingCollaborators } from '../../collaborators/list/collaborator-filters.ts';
import type { Content, ContentInput } from './content-input.ts';
import { type ExportFilters, type ExportRequest, type GroupBy, groupTitles, listTitle } from './export-request.ts';
import { peopleTable } from './export-table.ts';
import { byName, matchingPeople, type Person, peoplePerGroup, withManager } from './exported-people.ts';
import { counted, mapped } from './list-content.ts';
import { roleNames, statusNames } from './value-names.ts';

/** Of groups; the last one combines the smallest groups. */
const maxSheets = 200;

export async function groupContent(
  { query: { filters, group_by: groupBy, language = 'en' } }: Extract<ExportRequest, { kind: 'group' }>,
  { snapshot, viewer, wrote }: ContentInput,
): Promise<Content> {
  const groups = await findGroups(snapshot, viewer.member, filters, groupBy, language);
  const sheetGroups = groups.length > maxSheets ? largest(groups, maxSheets - 1) : groups;
  const names = namesOf(groups, sheetGroups, language);
  const table = peopleTable(viewer, language);
  const keys = sheetGroups.map(({ key }) => key);
  const query = peopleByGroup(snapshot, viewer.member, filters, groupBy, keys);
  const people = new Sections(counted(snapshot.groups(query, peoplePerGroup), wrote));

  function* written(): Generator<Sheet> {
    yield summary(groupBy, groups, names, language);
    for (const [rank, { key }] of sheetGroups.entries()) yield sheetOf(names.get(key)!, rank);
    if (sheetGroups.length < groups.length) yield sheetOf(otherGroups.translate(language), othersRank);
  }
  const sheetOf = (name: string, rank: number): Sheet => {
    return { name, columns: table.columns, groups: mapped(people.section(rank), table.cells) };
  };
  const title = groupTitles[groupBy].translate(language);
  const rowsTotal = groups.reduce((sum, { total }) => sum + total, 0);
  return { rows_total: rowsTotal, content: writeWorkbook(written(), { title, properties: exportProperties('group') }) };
}

interface Group {
  key: string | null;
  title: string;
  total: number;
  active: number;
  pending: number;
  inactive: number;
}

interface GroupedPerson extends Person {
  group_rank: number;
}

const noGroup: Readonly<Record<GroupBy, Text>> = {
  department: t`No department`,
  location: t`No location`,
  position: t`No position`,
  status: t`No status`,
  role: t`No role`,
  manager: t`No manager`,
};
const headers: Readonly<Record<GroupBy, Text>> = { ...columnHeaders, manager: roleNames.manager };
const valueNames: Readonly<Record<string, Text>> = { ...statusNames, ...roleNames };
const otherManager = t`Another manager`;
const otherGroups = t`Other groups`;
const summaryName = t`Summary`;
const summaryLabels = { active: t`Active`, pending: t`Pending`, inactive: t`Inactive`, sheet: t`Sheet` };

/** The grouping key: texts regardless of case, like the list's filters. */
const keyOf: Record<GroupBy, RawBuilder<string | null>> = {
  department: sql`nullif(lower(department), '')`,
  location: sql`nullif(lower(location), '')`,
  position: sql`nullif(lower(position), '')`,
  status: sql`status`,
  role: sql`role`,
  manager: sql`manager_id::text`,
};

/** The group's title: the most common spelling. */
const titleOf: Record<GroupBy, RawBuilder<string | null>> = {
  department: sql`mode() within group (order by department)`,
  location: sql`mode() within group (order by location)`,
  position: sql`mode() within group (order by position)`,
  status: sql`min(status)`,
  role: sql`min(role)`,
  manager: sql`min(manager_name)`,
};

/** By title; those without a title last, people without a value at the very end. */
async function findGroups(
  tenant: Tenant,
  member: Member,
  filters: ExportFilters,
  groupBy: GroupBy,
  language: Language,
): Promise<Group[]> {
  const count = (status: string) => sql<number>`count(*) filter (where status = ${status})`;
  const rows = await withManager(tenant, member, matchingCollaborators(tenant, member, filters))
    .select([keyOf[groupBy].as('key'), titleOf[groupBy].as('title'), sql<number>`count(*)`.as('total')])
    .select([count('active').as('active'), count('pending').as('pending'), count('inactive').as('inactive')])
    .groupBy(sql`1`)
    .orderBy(sql`left(search_form(nullif(${titleOf[groupBy]}, '')), 200) collate "C", 1`)
    .execute();
  return rows.map((row) => ({ ...row, title: titleFor(row.key, row.title, groupBy, language) }));
}

/** A manager without a visible name is out of the caller's reach, or deleted. */
function titleFor(key: string | null, title: string | null, groupBy: GroupBy, language: Language): string {
  if (key === null) return noGroup[groupBy].translate(language);
  if (groupBy === 'status' || groupBy === 'role') return valueNames[key]?.translate(language) ?? key;
  return title || otherManager.translate(language);
}

const othersRank = 2_147_483_647;

function largest(groups: Group[], count: number): Group[] {
  const chosen = new Set(groups.toSorted((a, b) => b.total - a.total).slice(0, count));
  return groups.filter((group) => chosen.has(group));
}

function namesOf(groups: Group[], sheetGroups: Group[], language: Language): Map<string | null, string> {
  const othersName = otherGroups.translate(language);
  const used = new Set([summaryName.translate(language), othersName].map((name) => name.toLowerCase()));
  const names = new Map(sheetGroups.map(({ key, title }) => [key, sheetName(title, used)]));
  for (const { key } of groups) if (!names.has(key)) names.set(key, othersName);
  return names;
}

function summary(groupBy: GroupBy, groups: Group[], names: Map<string | null, string>, language: Language): Sheet {
  const { active, pending, inactive, sheet } = inLanguage(summaryLabels, language);
  const columns: SheetColumn[] = [
    { header: headers[groupBy].translate(language), kind: 'text', width: 32 },
    { header: listTitle.translate(language), kind: 'number', width: 16 },
    { header: active, kind: 'number' },
    { header: pending, kind: 'number' },
    { header: inactive, kind: 'number' },
    { header: sheet, kind: 'text', width: 32 },
  ];
  const rows = groups.map(({ key, title, total, active, pending, inactive }): Cell[] => {
    return [title, total, active, pending, inactive, names.get(key)!];
  });
  return { name: summaryName.translate(language), columns, groups: [rows] };
}

function peopleByGroup(
  tenant: Tenant,
  member: Member,
  filters: ExportFilters,
  groupBy: GroupBy,
  keys: (string | null)[],
) {
  const rank = sql<number>`coalesce(array_position(${keys}::text[], ${keyOf[groupBy]}) - 1, ${othersRank}::int)`;
  return matchingPeople(tenant, member, filters)
    .select(rank.as('group_rank'))
    .orderBy(sql`group_rank`)
    .orderBy(byName)
    .orderBy('id');
}

/** Splits a stream of people into sections, which must be read one after the other, each to its end. */
class Sections {
  readonly #people: AsyncIterator<GroupedPerson[]>;
  #waiting: GroupedPerson[] = [];

  constructor(people: AsyncIterable<Person[]>) {
    this.#people = (people as AsyncIterable<GroupedPerson[]>)[Symbol.asyncIterator]();
  }

  async *section(rank: number): AsyncGenerator<GroupedPerson[]> {
    for (;;) {
      if (this.#waiting.length === 0) {
        const next = await this.#people.next();
        if (next.done) return;
        this.#waiting = next.value;
      }
      const end = this.#waiting.findIndex(({ group_rank: groupRank }) => groupRank !== rank);
      const section = end < 0 ? this.#waiting : this.#waiting.slice(0, end);
      this.#waiting = end < 0 ? [] : this.#waiting.slice(end);
      if (section.length > 0) yield section;
      if (end >= 0) return;
    }
  }
}
