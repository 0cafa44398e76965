/** Scope picker: all scopes, including future ones, or a selection. */
import { useId } from 'react';
import { scopeNames } from '../names.ts';
import { named } from '../translate.ts';
import { scopes } from './scopes.tsx';

interface ScopePickerProps {
  legend: string;
  hint?: string;
  /** Label of the "all" option; omit it to allow only a selection. */
  all?: string;
  /** Scopes to offer; `null` for all. */
  offered?: readonly string[] | null;
  /** `null` for all. */
  value: readonly string[] | null;
  error: string | undefined;
  disabled?: boolean;
  onChange(value: string[] | null): void;
}

export function ScopePicker({
  legend,
  hint,
  all,
  offered = null,
  value,
  error: fieldError,
  disabled,
  onChange,
}: ScopePickerProps) {
  const id = useId();
  const choice = scopes.filter((scope) => offered === null || offered.includes(scope));
  const described = [hint && `${id}-hint`, fieldError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset aria-describedby={described || undefined} disabled={disabled} className="scope-picker">
      <legend>{legend}</legend>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fieldError && (
        <p className="field-error" id={`${id}-error`}>
          {fieldError}
        </p>
      )}
      {all && (
        <label className="check">
          <input
            type="checkbox"
            checked={value === null}
            onChange={({ target }) => onChange(target.checked ? null : [])}
          />
          {all}
        </label>
      )}
      {value !== null && (
        <div className="scope-choice">
          {choice.map((scope) => (
            <label key={scope} className="check">
              <input
                type="checkbox"
                checked={value.includes(scope)}
                onChange={({ target }) =>
                  onChange(choice.filter((each) => (each === scope ? target.checked : value.includes(each))))
                }
              />
              <span>
                {named(scopeNames, scope)} <code className="quiet">{scope}</code>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
