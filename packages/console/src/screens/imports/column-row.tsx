import { useId } from 'react';
import type { ImportColumn, ImportField } from '../../api/imports.ts';
import { named, t } from '../../parts/words.ts';
import { fieldName } from './field-name.ts';
import { dateOrderNames } from './names.ts';

const fields = [
  'name',
  'email',
  'position',
  'department',
  'phone',
  'hire_date',
  'termination_date',
  'salary',
  'manager_email',
  'manager_id',
  'work_schedule',
  'location',
  'external_id',
  'employee_number',
  'emergency_contact.name',
  'emergency_contact.phone',
  'emergency_contact.relationship',
  'id',
] as const satisfies readonly ImportField[];

const left_out = '-';
/** Nobody knows yet. */
const unknown = '';

interface ColumnRowProps {
  column: ImportColumn;
  /** By somebody, null for a column that is left out; undefined where nobody chose. */
  chosen: ImportField | null | undefined;
  /** Whether that was after the file was read. */
  is_new: boolean;
  fault: string | undefined;
  onChoose(field: ImportField | null): void;
}

export function ColumnRow({ column, chosen, is_new, fault, onChoose }: ColumnRowProps) {
  const id = useId();
  const { column: letter, header, field, guessed, date_order } = column;
  const understood = field ?? (fault ? unknown : left_out);
  const value = chosen === undefined ? understood : (chosen ?? left_out);
  const is_open = fault !== undefined && !is_new;
  return (
    <tr>
      <th scope="row">
        <span className="quiet">{letter}</span> {header}
      </th>
      <td>
        <select
          value={value}
          aria-label={t`Field of column ${letter}, ${header}`}
          aria-invalid={is_open || undefined}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => onChoose(target.value === left_out ? null : (target.value as ImportField))}
        >
          {value === unknown && <option value={unknown}>{t`Choose …`}</option>}
          <option value={left_out}>{t`Leave out`}</option>
          {fields.map((each) => (
            <option key={each} value={each}>
              {fieldName(each)}
            </option>
          ))}
        </select>
      </td>
      <td id={`${id}-note`}>
        {is_open && <span className="fault">{fault}</span>}
        {guessed && chosen === undefined && t`Guessed from its name.`}
        {date_order && ` ${named(dateOrderNames, date_order)}`}
      </td>
    </tr>
  );
}
