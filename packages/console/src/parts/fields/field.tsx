import { type ReactNode, useId, useState } from 'react';
import { t } from '../translate.ts';

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  required?: boolean;
  /** Renders the control with its ids and ARIA attributes. */
  children(described: Described): ReactNode;
}

export function Field({ label, hint, error, required, children }: FieldProps) {
  const id = useId();
  const [invalid, setInvalid] = useState<'half-typed' | 'missing'>();
  const fieldError = error ?? (invalid && messages()[invalid]);
  const described = [hint && `${id}-hint`, fieldError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div
      className="field"
      onInvalidCapture={({ target }) => {
        const { badInput, valueMissing } = (target as HTMLInputElement).validity;
        setInvalid(badInput ? 'half-typed' : valueMissing ? 'missing' : undefined);
      }}
      onInput={() => setInvalid(undefined)}
    >
      <label htmlFor={id} className={required ? 'required' : undefined}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': fieldError ? true : undefined,
        'aria-required': required || undefined,
      })}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fieldError && (
        <span className="field-error" id={`${id}-error`}>
          {fieldError}
        </span>
      )}
    </div>
  );
}

const messages = () => ({
  'half-typed': t`Complete this value, or clear the field.`,
  missing: t`This field is required.`,
});
