import { useQuery } from '@tanstack/react-query';
import { eventTypesQuery, type Filters } from '../../../api/webhooks.ts';
import { Button } from '../../../parts/button.tsx';
import { EventChoice } from '../../../parts/fields/event-choice.tsx';
import { isoOf, localOf } from '../../../parts/format.ts';
import { Choice, FilterForm } from '../../../parts/lists/filters.tsx';
import { named, t } from '../../../parts/translate.ts';
import { readFilters, statuses } from '../filters.ts';
import { deliveryStatusNames } from '../names.ts';

interface FiltersProps {
  company: string;
  filters: Filters;
  onChange(filters: Filters): void;
}

export function DeliveryFilters({ company, filters, onChange }: FiltersProps) {
  const { data: types = [] } = useQuery(eventTypesQuery(company));
  const set = (change: Record<string, string | undefined>) => onChange(readFilters({ ...filters, ...change }));
  const momentOf = (local: string) => (local ? isoOf(local) : undefined);
  return (
    <FilterForm active={Object.keys(filters).length}>
      <Choice label={t`Status`} value={filters.status} onChange={(status) => set({ status })}>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {named(deliveryStatusNames, status)}
          </option>
        ))}
      </Choice>
      <EventChoice types={types} value={filters.event} onChange={(event) => set({ event })} />
      <label className="field">
        <span>{t`From`}</span>
        <input
          type="datetime-local"
          value={filters.since ? localOf(filters.since) : ''}
          onChange={({ target }) => set({ since: momentOf(target.value) })}
        />
      </label>
      <label className="field">
        <span>{t`Until`}</span>
        <input
          type="datetime-local"
          value={filters.until ? localOf(filters.until) : ''}
          onChange={({ target }) => set({ until: momentOf(target.value) })}
        />
      </label>
      {Object.keys(filters).length > 0 && <Button onClick={() => onChange({})}>{t`Clear filters`}</Button>}
    </FilterForm>
  );
}
