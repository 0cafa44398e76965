/** Filter bar of a list: one select per field, with "all" as the default. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { t } from '../translate.ts';

/**
 * On small screens, only the search is visible; a button reveals the others.
 * @param active number of active filters behind the button
 */
export function FilterForm({ children, active = 0 }: { children: ReactNode; active?: number }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search className="filters" aria-label={t`Filters`}>
      <form id={id} className={isOpen ? 'open' : undefined} onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
      <button
        type="button"
        className="button filters-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {active > 0 ? t`Filters (${active})` : t`Filters`}
      </button>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  /** Undefined for all. */
  value: string | undefined;
  /** @param value empty for all */
  onChange(value: string): void;
  /** The options besides "all". */
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

const typing = new EventTarget();

/** Discards text just typed into the search: it would be added to the filters that replace the current ones. */
export function forgetTyped(): void {
  typing.dispatchEvent(new Event('forget'));
}

export function ClearFilters({ onClear }: { onClear(): void }) {
  const clear = () => {
    forgetTyped();
    onClear();
  };
  return <Button onClick={clear}>{t`Clear filters`}</Button>;
}

/** Debounce, so that results for a partial word don't interrupt typing. */
const pauseMs = 200;

interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange); // another filter may change during the pause
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (timer.current === undefined) setTyped(value); // changed elsewhere: cleared, or by navigation
  }, [value]);
  useEffect(() => {
    const forget = () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      setTyped(value);
    };
    typing.addEventListener('forget', forget);
    return () => typing.removeEventListener('forget', forget);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latest.current(text);
    }, pauseMs);
  };
  return (
    <label className="field wide">
      <span>{label}</span>
      <input type="search" data-search value={typed} maxLength={100} onChange={({ target }) => type(target.value)} />
    </label>
  );
}
