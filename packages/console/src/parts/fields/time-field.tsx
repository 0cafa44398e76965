import { Field } from './field.tsx';

interface TimeFieldProps {
  label: string;
  hint?: string;
  required?: boolean;
  /** As in `isoOf`. */
  value: string;
  onChange(value: string): void;
}

/** A date and time in the browser's time zone. */
export function TimeField({ label, hint, required, value, onChange }: TimeFieldProps) {
  return (
    <Field label={label} hint={hint} required={required}>
      {(described) => (
        <input
          {...described}
          type="datetime-local"
          required={required}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
