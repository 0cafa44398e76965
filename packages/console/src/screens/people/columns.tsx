/** Which columns the list of people has: chosen by the reader, remembered in this browser. */
import { useState } from 'react';
import { keepText, keptText } from '../../parts/kept.ts';
import { fieldLabels } from '../../parts/names.ts';
import { t } from '../../parts/words.ts';

const possible = [
  'position',
  'department',
  'location',
  'status',
  'role',
  'manager',
  'email',
  'phone',
  'hire_date',
  'salary',
  'employee_number',
] as const;
export type ColumnName = (typeof possible)[number];

const usual: readonly ColumnName[] = ['position', 'department', 'location', 'status'];
const kept = 'console.people-columns';

export function useChosenColumns(): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  const [columns, setColumns] = useState<readonly ColumnName[]>(() => {
    const names = keptText(kept)?.split(',');
    return names ? possible.filter((name) => names.includes(name)) : usual;
  });
  return [
    columns,
    (chosen) => {
      keepText(kept, chosen.join(','));
      setColumns(chosen);
    },
  ];
}

interface ChoiceProps {
  chosen: readonly ColumnName[];
  onChange(columns: readonly ColumnName[]): void;
}

export function ColumnChoice({ chosen, onChange }: ChoiceProps) {
  return (
    <details className="choice">
      <summary className="button">{t`Columns`}</summary>
      <fieldset>
        <legend className="unseen">{t`Columns`}</legend>
        {possible.map((name) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(possible.filter((each) => (each === name ? target.checked : chosen.includes(each))))
              }
            />
            {fieldLabels()[name]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
