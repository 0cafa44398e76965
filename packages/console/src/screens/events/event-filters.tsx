import { useQuery } from '@tanstack/react-query';
import type { EventFilters } from '../../api/events.ts';
import { eventTypesQuery } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { EventChoice } from '../../parts/fields/event-choice.tsx';
import { isoOf, localOf } from '../../parts/format.ts';
import { FilterForm } from '../../parts/lists/filters.tsx';
import { t } from '../../parts/translate.ts';
import { readEventFilters } from './filters.ts';

interface FiltersProps {
  company: string;
  filters: EventFilters;
  onChange(filters: EventFilters): void;
}

/** A position is valid only for its filters: changing them restarts the stream. */
export function EventFilterForm({ company, filters, onChange }: FiltersProps) {
  const { data: types = [] } = useQuery(eventTypesQuery(company));
  const set = (change: EventFilters | Record<string, undefined>) =>
    onChange(readEventFilters({ ...filters, ...change }));
  return (
    <FilterForm active={Object.keys(filters).length}>
      <EventChoice types={types} value={filters.event} onChange={(event) => set({ event, position: undefined })} />
      <label className="field">
        <span>{t`From`}</span>
        <input
          type="datetime-local"
          value={filters.since ? localOf(filters.since) : ''}
          onChange={({ target }) =>
            set({ since: target.value ? isoOf(target.value) : undefined, position: undefined } as EventFilters)
          }
        />
      </label>
      <label className="field">
        <span>{t`After position`}</span>
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={filters.position ?? ''}
          maxLength={8192}
          onChange={({ target }) => set({ position: target.value })}
        />
      </label>
      {Object.keys(filters).length > 0 && <Button onClick={() => onChange({})}>{t`Clear filters`}</Button>}
    </FilterForm>
  );
}
