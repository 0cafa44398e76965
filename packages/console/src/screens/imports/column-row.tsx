import { useId } from 'react';
import type { ImportColumn, ImportField } from '../../api/imports.ts';
import { named, t } from '../../parts/words.ts';
import { fieldName } from './field-name.ts';
import { dateOrderNames } from './names.ts';

const fields = [
  'name',
  'given_name',
  'family_name',
  'email',
  'position',
  'department',
  'phone',
  'hire_date',
  'termination_date',
  'salary',
  'manager_email',
  'manager_id',
  'manager_employee_number',
  'manager',
  'status',
  'work_schedule',
  'location',
  'external_id',
  'employee_number',
  'emergency_contact.name',
  'emergency_contact.phone',
  'emergency_contact.relationship',
  'id',
] as const satisfies readonly ImportField[];

const leftOut = '-';
/** Nobody knows yet. */
const unknown = '';

interface ColumnRowProps {
  column: ImportColumn;
  /** By somebody, null for a column that is left out; undefined where nobody chose. */
  chosen: ImportField | null | undefined;
  /** Whether that was after the file was read. */
  isNew: boolean;
  fault: string | undefined;
  onChoose(field: ImportField | null): void;
}

export function ColumnRow({ column, chosen, isNew, fault, onChoose }: ColumnRowProps) {
  const id = useId();
  const { column: letter, header, field, guessed, date_order: dateOrder, samples } = column;
  const understood = field ?? (fault ? unknown : leftOut);
  const value = chosen === undefined ? understood : (chosen ?? leftOut);
  const isOpen = fault !== undefined && !isNew;
  return (
    <tr>
      <th scope="row">
        <span className="quiet">{letter}</span> {header}
        {samples.length > 0 && <span className="hint">{samples.join(' · ')}</span>}
      </th>
      <td>
        <select
          value={value}
          aria-label={t`Field of column ${letter}, ${header}`}
          aria-invalid={isOpen || undefined}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => onChoose(target.value === leftOut ? null : (target.value as ImportField))}
        >
          {value === unknown && <option value={unknown}>{t`Choose …`}</option>}
          <option value={leftOut}>{t`Leave out`}</option>
          {fields.map((each) => (
            <option key={each} value={each}>
              {fieldName(each)}
            </option>
          ))}
        </select>
      </td>
      <td id={`${id}-note`}>
        {isOpen && <span className="fault">{fault}</span>}
        {guessed && chosen === undefined && t`Guessed from its name.`}
        {dateOrder && ` ${named(dateOrderNames, dateOrder)}`}
      </td>
    </tr>
  );
}
