import { Link } from '@tanstack/react-router';
import type { CustomField } from '../../../api/custom-fields.ts';
import type { PersonItem } from '../../../api/people.ts';
import { labelOf, valueText } from '../../../parts/fields/custom-values.ts';
import { type Column, LongTable, type Selection } from '../../../parts/lists/long-table.tsx';
import { fieldLabels, roleNames } from '../../../parts/names.ts';
import { named, t } from '../../../parts/translate.ts';
import { formatField } from '../format-field.ts';
import { Avatar, PersonBadge } from '../person-badge.tsx';
import type { PlainColumn } from '../plain-columns.ts';
import { type ColumnName, columnOf } from './columns.tsx';

interface PeopleTableProps {
  company: string;
  people: readonly PersonItem[];
  columns: readonly ColumnName[];
  custom: readonly CustomField[];
  sort: string | undefined;
  onSort(sort: string): void;
  onEnd(): void;
  selection: Selection<PersonItem> | undefined;
}

const sortable = new Set<PlainColumn>(['position', 'department', 'status', 'email', 'hire_date']);

export function PeopleTable({ company, people, columns, custom, sort, onSort, onEnd, selection }: PeopleTableProps) {
  const name: Column<PersonItem> = {
    name: 'name',
    title: t`Name`,
    isName: true,
    sort: 'name',
    cell: ({ id, name: displayName = '', avatar_url: avatarUrl }) => (
      <Link to="/$company/people/$person" params={{ company, person: id }} className="row-link person-link">
        <Avatar name={displayName} url={avatarUrl} />
        <span>{displayName}</span>
      </Link>
    ),
  };
  const others = columns.map((column): Column<PersonItem> => {
    const customField = custom.find((field) => columnOf(field) === column);
    return customField ? customColumn(customField) : plainColumn(column as PlainColumn);
  });
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

function plainColumn(column: PlainColumn): Column<PersonItem> {
  return {
    name: column,
    title: fieldLabels()[column],
    isFigure: column === 'salary' || column === 'reports_count',
    hasLabel: true,
    ...(sortable.has(column) && { sort: column }),
    cell: (person) => <Value column={column} person={person} />,
  };
}

const sortableTypes: readonly CustomField['type'][] = ['text', 'number', 'boolean', 'date', 'choice', 'email', 'phone'];

function customColumn(field: CustomField): Column<PersonItem> {
  const column = columnOf(field);
  return {
    name: column,
    title: labelOf(field.label),
    isFigure: field.type === 'number',
    hasLabel: true,
    ...(sortableTypes.includes(field.type) && !field.sensitive && { sort: column }),
    cell: ({ custom_fields: values, restricted_fields: hidden }) => {
      if (hidden?.includes(column)) return <span className="quiet">{t`hidden from you`}</span>;
      return valueText(field, values?.[field.key]) ?? <span className="quiet">–</span>;
    },
  };
}

function Value({ column, person }: { column: PlainColumn; person: PersonItem }) {
  if (column === 'status') return person.status ? <PersonBadge status={person.status} /> : null;
  if (column === 'role') return person.role ? named(roleNames, person.role) : null;
  if (column === 'manager') return person.manager?.name ?? <span className="quiet">–</span>;
  if (person.restricted_fields?.includes(column)) return <span className="quiet">{t`hidden from you`}</span>;
  return formatField(column, person[column]) ?? <span className="quiet">–</span>;
}
