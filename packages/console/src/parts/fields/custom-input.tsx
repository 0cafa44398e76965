/** Input for a custom field's value, by type. */
import { useId } from 'react';
import type { CustomField } from '../../api/custom-fields.ts';
import { t } from '../translate.ts';
import { type CustomInputValue, type InputField, labelOf } from './custom-values.ts';
import { Field } from './field.tsx';

interface CustomInputProps {
  field: InputField;
  value: CustomInputValue;
  error?: string | undefined;
  onChange(value: CustomInputValue): void;
}

const inputTypes: Partial<Record<CustomField['type'], string>> = {
  date: 'date',
  email: 'email',
  url: 'url',
  phone: 'tel',
};

const longest: Partial<Record<CustomField['type'], number>> = { email: 254, url: 2_048, phone: 100 };
const maxText = 4_096;

export function CustomInput(props: CustomInputProps) {
  const { field, value, error: fieldError, onChange } = props;
  if (field.type === 'multi_choice') return <MultiChoice {...props} />;
  const text = Array.isArray(value) ? '' : value;
  return (
    <Field
      label={labelOf(field.label)}
      hint={field.description ?? undefined}
      error={fieldError}
      required={field.required}
    >
      {(described) =>
        field.type === 'long_text' ? (
          <textarea
            {...described}
            rows={4}
            value={text}
            maxLength={maxText}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : field.type === 'choice' || field.type === 'boolean' ? (
          <select {...described} value={text} onChange={({ target }) => onChange(target.value)}>
            <option value="">{t`No value`}</option>
            {choicesOf(field, [text]).map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...described}
            type={inputTypes[field.type] ?? 'text'}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
            autoComplete="off"
            maxLength={longest[field.type] ?? maxText}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}

/** Multiple choice. */
function MultiChoice({ field, value, error: fieldError, onChange }: CustomInputProps) {
  const id = useId();
  const chosen = Array.isArray(value) ? value : [];
  const described = [field.description && `${id}-hint`, fieldError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset aria-describedby={described || undefined}>
      <legend>
        {labelOf(field.label)}
        {field.required && (
          <span className="field-error" aria-hidden="true">
            {' *'}
          </span>
        )}
      </legend>
      {choicesOf(field, chosen).map(({ key, label }) => (
        <label key={key} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, key] : chosen.filter((each) => each !== key))
            }
          />
          {label}
        </label>
      ))}
      {field.description && (
        <span className="hint" id={`${id}-hint`}>
          {field.description}
        </span>
      )}
      {fieldError && (
        <span className="field-error" id={`${id}-error`}>
          {fieldError}
        </span>
      )}
    </fieldset>
  );
}

/** Options to offer; retired ones only if the person already has them. */
function choicesOf({ type, options }: InputField, selectedKeys: readonly string[]): { key: string; label: string }[] {
  if (type === 'boolean') {
    return [
      { key: 'true', label: t`Yes` },
      { key: 'false', label: t`No` },
    ];
  }
  return options
    .filter(({ key, retired }) => !retired || selectedKeys.includes(key))
    .map(({ key, label }) => ({ key, label: labelOf(label) || key }));
}
