/** Text input that suggests the company's existing values, for consistent spelling. */
import { useQuery } from '@tanstack/react-query';
import { valuesQuery } from '../../api/people.ts';
import { Combobox } from '../../parts/fields/combobox.tsx';
import { plain } from '../../parts/fold-text.ts';
import { fieldLabels } from '../../parts/names.ts';
import { longest, requiredFields } from './fields.ts';

type SuggestedField = 'department' | 'location' | 'position';

export function isSuggested(name: string): name is SuggestedField {
  return name === 'department' || name === 'location' || name === 'position';
}

interface ValueFieldProps {
  company: string;
  name: SuggestedField;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

const maxSuggestions = 8;

export function ValueField({ company, name, value, error: fieldError, onChange }: ValueFieldProps) {
  const { data: values = [] } = useQuery(valuesQuery(company, name));
  const query = plain(value.trim());
  const found = values.filter((each) => plain(each.value).includes(query) && each.value !== value);
  return (
    <Combobox
      label={fieldLabels()[name]}
      value={value}
      items={found.toSorted((one, other) => other.count - one.count).slice(0, maxSuggestions)}
      keyOf={(each) => each.value}
      show={(each) => `${each.value} (${each.count})`}
      error={fieldError}
      maxLength={longest[name]}
      required={requiredFields.includes(name)}
      onText={onChange}
      onPick={(each) => onChange(each.value)}
    />
  );
}
