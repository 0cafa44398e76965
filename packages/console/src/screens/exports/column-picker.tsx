/** Column picker of an exported list: all columns, or a selection, which starts with those of the list in this browser. */
import { useQuery } from '@tanstack/react-query';
import { customFieldsQuery } from '../../api/custom-fields.ts';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { t } from '../../parts/translate.ts';
import { columnOf, useChosenColumns } from '../people/list/columns.tsx';
import { exportColumns, exportedField } from './columns.ts';
import { columnNames } from './names.ts';

interface PickerProps {
  company: string;
  /** Columns in the address of the list; undefined for those that the reader has chosen. */
  listed: string | undefined;
  /** Separated by commas; undefined for all. */
  fields: string | undefined;
  onChange(fields: string | undefined): void;
}

export function ColumnPicker({ company, listed, fields, onChange }: PickerProps) {
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  const [shown] = useChosenColumns(custom, listed);
  const names = columnNames();
  const choice: [field: string, label: string][] = [
    ...exportColumns.map((name): [string, string] => [name, names[name]]),
    ...custom.map((field): [string, string] => [columnOf(field), labelOf(field.label)]),
  ];
  const chosen = new Set(fields?.split(','));
  const choose = (isChosen: (field: string) => boolean) =>
    // The service always includes the ID. Named here, it lets people remove all others.
    onChange(['id', ...choice.map(([field]) => field).filter(isChosen)].join());
  return (
    <fieldset aria-describedby={fields === undefined ? undefined : 'columns-hint'}>
      <legend>{t`Columns`}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={fields === undefined}
          onChange={({ target }) => {
            if (target.checked) return onChange(undefined);
            const start = new Set(['name', ...shown.map(exportedField)]);
            choose((field) => start.has(field));
          }}
        />
        {t`All columns that you can see`}
      </label>
      {fields !== undefined && (
        <>
          <div className="scope-choice">
            {choice.map(([field, label]) => (
              <label key={field} className="check">
                <input
                  type="checkbox"
                  checked={chosen.has(field)}
                  onChange={({ target }) => choose((each) => (each === field ? target.checked : chosen.has(each)))}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
          <p className="hint" id="columns-hint">{t`The file also has the ID of each person.`}</p>
        </>
      )}
    </fieldset>
  );
}
