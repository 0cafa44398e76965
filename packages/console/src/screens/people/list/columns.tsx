/** Column picker of the people list: which, and in which order. The choice is stored in this browser, or in the address of a view. */
import { ArrowDown, ArrowUp, type LucideIcon } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import type { CustomField } from '../../../api/custom-fields.ts';
import { labelOf } from '../../../parts/fields/custom-values.ts';
import { hasTallRows, setTallRows } from '../../../parts/lists/row-height.ts';
import { readStored, writeStored } from '../../../parts/local-storage.ts';
import { fieldLabels } from '../../../parts/names.ts';
import { t } from '../../../parts/translate.ts';
import { type PlainColumn, plainColumns } from '../plain-columns.ts';

export type ColumnName = PlainColumn | `custom_fields.${string}`;

const defaultColumns: readonly ColumnName[] = ['position', 'department', 'location', 'status'];
const storageKey = 'console.people-columns';

export function columnOf({ key }: Pick<CustomField, 'key'>): ColumnName {
  return `custom_fields.${key}`;
}

/**
 * Keeps the columns of other companies' custom fields, for when the reader switches back.
 * @param requested columns in the address, which come before the reader's own
 * @returns the columns that exist in this company, in the order chosen, and a function that changes the reader's own
 */
export function useChosenColumns(
  custom: readonly CustomField[],
  requested: string | undefined,
): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  const [names, setNames] = useState<readonly string[]>(() => readStored(storageKey)?.split(',') ?? defaultColumns);
  const known = new Set<string>([...plainColumns, ...custom.map(columnOf)]);
  const selected = new Set(requested?.split(',') ?? names);
  return [
    [...selected].filter((name) => known.has(name)) as ColumnName[],
    (chosen) => {
      const others = names.filter((name) => !known.has(name));
      writeStored(storageKey, [...chosen, ...others].join(','));
      setNames([...chosen, ...others]);
    },
  ];
}

interface ChoiceProps {
  custom: readonly CustomField[];
  chosen: readonly ColumnName[];
  onChange(columns: readonly ColumnName[]): void;
}

export function ColumnChoice({ custom, chosen, onChange }: ChoiceProps) {
  const all: [name: ColumnName, label: string][] = [
    ...plainColumns.map((name): [ColumnName, string] => [name, fieldLabels()[name]]),
    ...custom.map((field): [ColumnName, string] => [columnOf(field), labelOf(field.label)]),
  ];
  const others = all.filter(([name]) => !chosen.includes(name));
  const visible = chosen.flatMap((name) => all.filter(([each]) => each === name));
  return (
    <details className="choice" onKeyDown={closeOnEscape} onBlur={closeOnLeaving}>
      <summary className="button">{t`Columns`}</summary>
      {/* Focusable, so that a click on its text doesn't close it. */}
      <fieldset tabIndex={-1}>
        <legend className="unseen">{t`Columns`}</legend>
        {[...visible, ...others].map(([name, label], at) => (
          <div key={name} className="column-choice">
            <label className="check">
              <input
                type="checkbox"
                checked={at < visible.length}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
                }
              />
              {label}
            </label>
            {at < visible.length && (
              <>
                <MoveButton
                  label={t`Move ${label} up`}
                  icon={ArrowUp}
                  isLast={at === 0}
                  onMove={() => onChange(moveItem(chosen, at, at - 1))}
                />
                <MoveButton
                  label={t`Move ${label} down`}
                  icon={ArrowDown}
                  isLast={at === visible.length - 1}
                  onMove={() => onChange(moveItem(chosen, at, at + 1))}
                />
              </>
            )}
          </div>
        ))}
        <label className="check tall-rows">
          <input
            type="checkbox"
            defaultChecked={hasTallRows()}
            onChange={({ target }) => setTallRows(target.checked)}
          />
          {t`Taller rows`}
        </label>
      </fieldset>
    </details>
  );
}

function closeOnEscape({ key, currentTarget: choice }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape' || !choice.open) return;
  choice.open = false;
  choice.querySelector('summary')!.focus();
}

function closeOnLeaving({ relatedTarget, currentTarget: choice }: FocusEvent<HTMLDetailsElement>): void {
  if (relatedTarget && !choice.contains(relatedTarget)) choice.open = false;
}

interface MoveProps {
  label: string;
  icon: LucideIcon;
  /** There is nowhere to move to. Not `disabled`, which would take the focus away from the button just pressed. */
  isLast: boolean;
  onMove(): void;
}

function MoveButton({ label, icon: Icon, isLast, onMove }: MoveProps) {
  return (
    <button
      type="button"
      className="move"
      aria-label={label}
      aria-disabled={isLast}
      onClick={() => !isLast && onMove()}
    >
      <Icon aria-hidden size={16} />
    </button>
  );
}

function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return items.map((item, at) => (at === from ? items[to]! : at === to ? items[from]! : item));
}
