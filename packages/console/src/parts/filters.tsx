/** What narrows a list: fields in a row, each with all values or one of them. */
import type { ReactNode } from 'react';
import { t } from './words.ts';

export function FilterForm({ children }: { children: ReactNode }) {
  return (
    <search className="filters" aria-label={t`Filters`}>
      <form onSubmit={(event) => event.preventDefault()}>{children}</form>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  /** Undefined for all. */
  value: string | undefined;
  /** @param value empty for all */
  onChange(value: string): void;
  /** The options beside "all". */
  children: ReactNode;
}

export function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t`All`}</option>
        {children}
      </select>
    </label>
  );
}
