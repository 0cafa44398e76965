import { useQuery } from '@tanstack/react-query';
import { type PeopleFilters, valuesQuery } from '../../../api/people.ts';
import { number } from '../../../parts/format.ts';
import { Choice, ClearFilters, FilterForm, SearchField } from '../../../parts/lists/filters.tsx';
import { fieldLabels, roleNames } from '../../../parts/names.ts';
import { named, t } from '../../../parts/translate.ts';
import { readPeopleFilters, roles, statuses } from '../filters.ts';
import { personStatusNames } from '../names.ts';
import { CustomFilters } from './custom-filters.tsx';

interface FormProps {
  company: string;
  filters: PeopleFilters;
  onChange(filters: PeopleFilters): void;
}

export function PeopleFilterForm({ company, filters, onChange }: FormProps) {
  const set = (change: Record<string, unknown>) => onChange(readPeopleFilters({ ...filters, ...change }));
  const { sort: _, ...activeFilters } = filters;
  const { search: __, custom_fields: custom = {}, ...others } = activeFilters;
  return (
    <FilterForm active={Object.keys(others).length + Object.keys(custom).length}>
      <SearchField
        label={t`Search by name, email, position …`}
        value={filters.search ?? ''}
        onChange={(search) => set({ search })}
      />
      <Choice label={t`Status`} value={filters.status} onChange={(status) => set({ status })}>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {named(personStatusNames, status)}
          </option>
        ))}
      </Choice>
      <Choice label={t`Role`} value={filters.role} onChange={(role) => set({ role })}>
        {roles.map((role) => (
          <option key={role} value={role}>
            {named(roleNames, role)}
          </option>
        ))}
      </Choice>
      <Values
        company={company}
        field="department"
        value={filters.department}
        onChange={(department) => set({ department })}
      />
      <Values company={company} field="location" value={filters.location} onChange={(location) => set({ location })} />
      <CustomFilters company={company} conditions={custom} onChange={(to) => set({ custom_fields: to })} />
      {Object.keys(activeFilters).length > 0 && (
        <ClearFilters onClear={() => onChange(filters.sort ? { sort: filters.sort } : {})} />
      )}
    </FilterForm>
  );
}

interface ValuesProps {
  company: string;
  field: 'department' | 'location';
  value: string | undefined;
  onChange(value: string): void;
}

/** Existing values, with the number of people for each. */
function Values({ company, field, value, onChange }: ValuesProps) {
  const { data: values = [] } = useQuery(valuesQuery(company, field));
  const isKnown = !value || values.some((each) => each.value === value);
  return (
    <Choice label={fieldLabels()[field]} value={value} onChange={onChange}>
      {!isKnown && <option>{value}</option>}
      {values.map(({ value: each, count }) => (
        <option key={each} value={each}>
          {each} ({number(count)})
        </option>
      ))}
    </Choice>
  );
}
