/** Text input with suggestions, keyboard accessible (ARIA combobox). */
import { useCombobox } from 'downshift';
import { type ReactNode, useId } from 'react';
import { t } from '../translate.ts';

interface ComboboxProps<Item> {
  label: string;
  value: string;
  items: readonly Item[];
  keyOf(item: Item): string;
  show(item: Item): ReactNode;
  onText(text: string): void;
  onPick(item: Item): void;
  error?: string | undefined;
  placeholder?: string;
  maxLength?: number | undefined;
  required?: boolean | undefined;
}

export function Combobox<Item>({
  label,
  value,
  items,
  keyOf,
  show,
  onText,
  onPick,
  error: fieldError,
  required,
  ...input
}: ComboboxProps<Item>) {
  const id = useId();
  const box = useCombobox<Item>({
    inputId: id,
    items: items as Item[],
    inputValue: value,
    selectedItem: null,
    itemToString: (item) => (item ? keyOf(item) : ''),
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onPick(selectedItem),
  });
  const isOpen = box.isOpen && items.length > 0;
  return (
    <div className="field combobox">
      <label {...box.getLabelProps()} htmlFor={id} className={required ? 'required' : undefined}>
        {label}
      </label>
      <input
        {...box.getInputProps({
          onChange: ({ currentTarget }) => onText(currentTarget.value),
          // Closes the suggestions, but not the dialog around them.
          onKeyDown: (event) => isOpen && event.key === 'Escape' && event.stopPropagation(),
          autoComplete: 'off',
          'aria-required': required || undefined,
          'aria-invalid': fieldError ? true : undefined,
          'aria-describedby': fieldError ? `${id}-error` : undefined,
        })}
        {...input}
      />
      <ul {...box.getMenuProps({ 'aria-label': t`Suggestions` })} className="found" hidden={!isOpen}>
        {isOpen &&
          items.map((item, index) => (
            <li
              key={keyOf(item)}
              {...box.getItemProps({ item, index })}
              className={index === box.highlightedIndex ? 'highlighted' : undefined}
            >
              {show(item)}
            </li>
          ))}
      </ul>
      {fieldError && (
        <span className="field-error" id={`${id}-error`}>
          {fieldError}
        </span>
      )}
    </div>
  );
}
