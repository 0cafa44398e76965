import { Link } from '@tanstack/react-router';
import type { PersonItem } from '../../api/people.ts';
import { type Column, LongTable, type Selection } from '../../parts/long-table.tsx';
import { fieldLabels, roleNames } from '../../parts/names.ts';
import { named, t } from '../../parts/words.ts';
import type { ColumnName } from './columns.tsx';
import { Avatar, PersonBadge } from './person-badge.tsx';
import { shown } from './shown.ts';

interface PeopleTableProps {
  company: string;
  people: readonly PersonItem[];
  columns: readonly ColumnName[];
  sort: string | undefined;
  onSort(sort: string): void;
  onEnd(): void;
  selection: Selection<PersonItem> | undefined;
}

const sortable = new Set<ColumnName>(['position', 'department', 'status', 'email', 'hire_date']);

export function PeopleTable({ company, people, columns, sort, onSort, onEnd, selection }: PeopleTableProps) {
  const name: Column<PersonItem> = {
    name: 'name',
    title: t`Name`,
    isName: true,
    sort: 'name',
    cell: ({ id, name: called = '', avatar_url: avatarUrl }) => (
      <Link to="/$company/people/$person" params={{ company, person: id }} className="row-link person-link">
        <Avatar name={called} url={avatarUrl} />
        <span>{called}</span>
      </Link>
    ),
  };
  const others = columns.map(
    (column): Column<PersonItem> => ({
      name: column,
      title: fieldLabels()[column],
      isFigure: column === 'salary',
      saysName: true,
      ...(sortable.has(column) && { sort: column }),
      cell: (person) => <Value column={column} person={person} />,
    }),
  );
  return (
    <LongTable
      labelledBy="people"
      rows={people}
      columns={[name, ...others]}
      keyOf={({ id }) => id}
      sort={sort}
      onSort={onSort}
      onEnd={onEnd}
      selection={selection}
    />
  );
}

function Value({ column, person }: { column: ColumnName; person: PersonItem }) {
  if (column === 'status') return person.status ? <PersonBadge status={person.status} /> : null;
  if (column === 'role') return person.role ? named(roleNames, person.role) : null;
  if (column === 'manager') return person.manager?.name ?? <span className="quiet">–</span>;
  if (person.restricted_fields?.includes(column)) return <span className="quiet">{t`hidden from you`}</span>;
  return shown(column, person[column]) ?? <span className="quiet">–</span>;
}
