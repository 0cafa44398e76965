/** Column picker of the people list; the choice is stored in this browser. */
import { useState } from 'react';
import type { CustomField } from '../../../api/custom-fields.ts';
import { labelOf } from '../../../parts/fields/custom-values.ts';
import { readStored, writeStored } from '../../../parts/local-storage.ts';
import { fieldLabels } from '../../../parts/names.ts';
import { t } from '../../../parts/translate.ts';

const possible = [
  'position',
  'department',
  'location',
  'status',
  'role',
  'manager',
  'reports_count',
  'email',
  'phone',
  'hire_date',
  'salary',
  'employee_number',
] as const;
export type PlainColumn = (typeof possible)[number];

export type ColumnName = PlainColumn | `custom_fields.${string}`;

const usual: readonly ColumnName[] = ['position', 'department', 'location', 'status'];
const kept = 'console.people-columns';

export function columnOf({ key }: Pick<CustomField, 'key'>): ColumnName {
  return `custom_fields.${key}`;
}

/**
 * Keeps the columns of other companies' custom fields, for when the reader switches back.
 * @returns the columns that exist in this company, in order
 */
export function useChosenColumns(
  custom: readonly CustomField[],
): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  const [names, setNames] = useState<readonly string[]>(() => readStored(kept)?.split(',') ?? usual);
  const known: ColumnName[] = [...possible, ...custom.map(columnOf)];
  return [
    known.filter((name) => names.includes(name)),
    (chosen) => {
      const others = names.filter((name) => !known.includes(name as ColumnName));
      writeStored(kept, [...chosen, ...others].join(','));
      setNames([...chosen, ...others]);
    },
  ];
}

interface ChoiceProps {
  custom: readonly CustomField[];
  chosen: readonly ColumnName[];
  onChange(columns: readonly ColumnName[]): void;
}

export function ColumnChoice({ custom, chosen, onChange }: ChoiceProps) {
  const all: [name: ColumnName, label: string][] = [
    ...possible.map((name): [ColumnName, string] => [name, fieldLabels()[name]]),
    ...custom.map((field): [ColumnName, string] => [columnOf(field), labelOf(field.label)]),
  ];
  const names = all.map(([name]) => name);
  return (
    <details className="choice">
      <summary className="button">{t`Columns`}</summary>
      <fieldset>
        <legend className="unseen">{t`Columns`}</legend>
        {all.map(([name, label]) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(names.filter((each) => (each === name ? target.checked : chosen.includes(each))))
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
