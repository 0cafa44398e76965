import { useId } from 'react';
import type { ImportColumn, ImportField } from '../../../api/imports.ts';
import { named, t } from '../../../parts/translate.ts';
import { dateOrderNames } from '../names.ts';
import { CreateField } from './create-field.tsx';
import { fieldName } from './field-name.ts';

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
];

const ignoredValue = '-';
/** Not mapped yet. */
const unknown = '';

interface ColumnRowProps {
  company: string;
  column: ImportColumn;
  /** The user's choice: null to ignore the column, undefined for no choice. */
  chosen: ImportField | null | undefined;
  /** Whether the choice was made after the file was read. */
  isNew: boolean;
  error: string | undefined;
  /** Labels of the custom fields that an import writes, by their names in files. */
  custom: Readonly<Record<string, string>>;
  /** Whether a custom field was created from this column since the file was read. */
  isCreated: boolean;
  onCreated(): void;
  onChoose(field: ImportField | null): void;
}

export function ColumnRow({
  company,
  column,
  chosen,
  isNew,
  error: fieldError,
  custom,
  isCreated,
  onCreated,
  onChoose,
}: ColumnRowProps) {
  const id = useId();
  const { column: letter, header, field, guessed, date_order: dateOrder, samples, suggested_field: suggested } = column;
  const detected = field ?? (fieldError ? unknown : ignoredValue);
  const value = chosen === undefined ? detected : (chosen ?? ignoredValue);
  const isOpen = fieldError !== undefined && !isNew && !isCreated;
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
          onChange={({ target }) => onChoose(target.value === ignoredValue ? null : (target.value as ImportField))}
        >
          {value === unknown && <option value={unknown}>{t`Choose …`}</option>}
          <option value={ignoredValue}>{t`Ignore`}</option>
          {Object.entries(custom).map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
          {fields.map((each) => (
            <option key={each} value={each}>
              {fieldName(each)}
            </option>
          ))}
        </select>
      </td>
      <td id={`${id}-note`}>
        {isOpen && <span className="field-error">{fieldError}</span>}
        {guessed && chosen === undefined && t`Guessed from its name.`}
        {dateOrder && ` ${named(dateOrderNames, dateOrder)}`}
        {suggested && !isCreated && !chosen && (
          <CreateField company={company} header={header} suggested={suggested} onCreated={onCreated} />
        )}
        {isCreated && t`${header} is a field now. Check the file again to read it.`}
      </td>
    </tr>
  );
}
