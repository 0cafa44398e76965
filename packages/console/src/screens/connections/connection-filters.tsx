import { useQuery } from '@tanstack/react-query';
import { ownClientId } from '../../api/client/sign-in.ts';
import { type ConnectionFilters, newestConnectionsQuery } from '../../api/connections.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, FilterForm } from '../../parts/lists/filters.tsx';
import { named, t } from '../../parts/translate.ts';
import { kinds, readConnectionFilters } from './filters.ts';
import { kindNames } from './names.ts';

interface FiltersProps {
  company: string;
  /** Non-admins see only their own connections, and no installations. */
  isAdmin: boolean;
  filters: ConnectionFilters;
  onChange(filters: ConnectionFilters): void;
}

export function ConnectionFilterForm({ company, isAdmin, filters, onChange }: FiltersProps) {
  const { data: newest = [] } = useQuery(newestConnectionsQuery(company));
  const apps = options(
    [...newest.map(({ app }) => [app.client_id, app.name] as const), [ownClientId, t`This console`]],
    filters.client_id,
  );
  const people = options(
    newest.map(({ allowed_by: { user_id: userId, name } }) => [userId, name]),
    filters.user_id,
  );
  const set = (change: Record<string, string>) => onChange(readConnectionFilters({ ...filters, ...change }));
  return (
    <FilterForm active={Object.keys(filters).length}>
      <Choice label={t`App`} value={filters.client_id} onChange={(clientId) => set({ client_id: clientId })}>
        {apps}
      </Choice>
      {isAdmin && (
        <>
          <Choice label={t`Authorized by`} value={filters.user_id} onChange={(userId) => set({ user_id: userId })}>
            {people}
          </Choice>
          <Choice label={t`Kind`} value={filters.kind} onChange={(kind) => set({ kind })}>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {named(kindNames, kind)}
              </option>
            ))}
          </Choice>
        </>
      )}
      {Object.keys(filters).length > 0 && <Button onClick={() => onChange({})}>{t`Clear filters`}</Button>}
    </FilterForm>
  );
}

/** Sorted by name. Includes the value in the URL, even if it is not among the newest. */
function options(found: readonly (readonly [id: string, name: string | null])[], chosen: string | undefined) {
  const names = new Map(found);
  if (chosen && !names.has(chosen)) names.set(chosen, null);
  return [...names]
    .map(([id, name]) => ({ id, name: name ?? id }))
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ));
}
