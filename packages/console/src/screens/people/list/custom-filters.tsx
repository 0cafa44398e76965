/** Custom field filters: active ones, and a menu to add others. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type CustomField, customFieldsQuery } from '../../../api/custom-fields.ts';
import type { CustomConditions } from '../../../api/people.ts';
import { labelOf } from '../../../parts/fields/custom-values.ts';
import { Choice } from '../../../parts/lists/filters.tsx';
import { t } from '../../../parts/translate.ts';

/** The service's limit. */
const maxConditions = 10;
const filtered: readonly CustomField['type'][] = ['choice', 'multi_choice', 'boolean', 'date', 'number'];

interface CustomFiltersProps {
  company: string;
  conditions: CustomConditions;
  onChange(conditions: CustomConditions): void;
}

export function CustomFilters({ company, conditions, onChange }: CustomFiltersProps) {
  const { data: fields = [] } = useQuery(customFieldsQuery(company));
  const [added, setAdded] = useState<readonly string[]>([]);
  const filterable = fields.filter(({ type, sensitive }) => filtered.includes(type) && !sensitive);
  const visible = filterable.filter(({ key }) => key in conditions || added.includes(key));
  const others = filterable.filter((field) => !visible.includes(field));
  return (
    <>
      {visible.map((field) => (
        <CustomFilter
          key={field.key}
          field={field}
          condition={conditions[field.key]}
          onChange={(condition) => {
            setAdded([...added, field.key]); // keep it visible while its value is cleared
            const { [field.key]: _, ...rest } = conditions;
            onChange(condition === undefined ? rest : { ...rest, [field.key]: condition });
          }}
        />
      ))}
      {others.length > 0 && visible.length < maxConditions && (
        <label className="field more-filters">
          <span>{t`More filters`}</span>
          <select value="" onChange={({ target }) => setAdded([...added, target.value])}>
            <option value="">{t`Custom field`}</option>
            {others.map(({ key, label }) => (
              <option key={key} value={key}>
                {labelOf(label)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

type Condition = CustomConditions[string];

interface CustomFilterProps {
  field: CustomField;
  condition: Condition | undefined;
  onChange(condition: Condition | undefined): void;
}

function CustomFilter({ field, condition, onChange }: CustomFilterProps) {
  const { type, options } = field;
  const label = labelOf(field.label);
  if (type === 'date' || type === 'number') return <Range field={field} condition={condition} onChange={onChange} />;
  return (
    <Choice
      label={label}
      value={typeof condition === 'string' ? condition : undefined}
      onChange={(value) => onChange(value || undefined)}
    >
      {type === 'boolean' ? (
        <>
          <option value="true">{t`Yes`}</option>
          <option value="false">{t`No`}</option>
        </>
      ) : (
        options.map((option) => (
          <option key={option.key} value={option.key}>
            {labelOf(option.label)}
          </option>
        ))
      )}
    </Choice>
  );
}

/** The URL may have a single value, which is a range of its own. */
function Range({ field, condition = {}, onChange }: CustomFilterProps) {
  const label = labelOf(field.label);
  const range = typeof condition === 'string' ? { gte: condition, lte: condition } : condition;
  const set = (name: 'gte' | 'lte', value: string) => {
    const { [name]: _, ...rest } = range;
    const now = value === '' ? rest : { ...rest, [name]: value };
    onChange(Object.keys(now).length > 0 ? now : undefined);
  };
  return (
    <>
      {(['gte', 'lte'] as const).map((name) => (
        <Bound
          key={name}
          label={name === 'gte' ? t`${label}: from` : t`${label}: to`}
          type={field.type}
          value={range[name] ?? ''}
          onChange={(value) => set(name, value)}
        />
      ))}
    </>
  );
}

interface BoundProps {
  label: string;
  type: CustomField['type'];
  value: string;
  onChange(value: string): void;
}

/** Applies on blur or Enter, because a partial number is a different number. */
function Bound({ label, type, value, onChange }: BoundProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = () => {
    if (typed !== value) onChange(typed);
  };
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type={type === 'date' ? 'date' : 'number'}
        step="any"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
    </label>
  );
}
