import type { AuditFilters } from '../../api/audit.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, FilterForm } from '../../parts/filters.tsx';
import { isoOf, localOf } from '../../parts/format.ts';
import { named, t } from '../../parts/words.ts';
import { type ActionGroup, actions } from './actions.ts';
import { readAuditFilters } from './filters.ts';
import { actionNames, filterNames, groupNames } from './names.ts';
import { PersonFilter } from './person-filter.tsx';

interface FiltersProps {
  company: string;
  filters: AuditFilters;
  onChange(filters: AuditFilters): void;
}

export function AuditFilterForm({ company, filters, onChange }: FiltersProps) {
  const set = (change: Record<string, string | undefined>) => onChange(readAuditFilters({ ...filters, ...change }));
  return (
    <FilterForm>
      <PersonFilter
        company={company}
        label={t`Done by`}
        value={filters.actor_collaborator_id ?? filters.actor_id}
        onChange={(actorCollaboratorId) => set({ actor_collaborator_id: actorCollaboratorId, actor_id: undefined })}
      />
      <PersonFilter
        company={company}
        label={t`About`}
        value={filters.target_id}
        onChange={(targetId) => set({ target_id: targetId })}
      />
      <Choice label={t`Action`} value={filters.action} onChange={(action) => set({ action })}>
        <Actions also={filters.action} />
      </Choice>
      <Choice label={t`Outcome`} value={filters.outcome} onChange={(outcome) => set({ outcome })}>
        <option value="succeeded">{t`done`}</option>
        <option value="refused">{t`refused`}</option>
      </Choice>
      {(['since', 'until'] as const).map((name) => (
        <label key={name} className="field">
          <span>{filterNames()[name]}</span>
          <input
            type="datetime-local"
            value={filters[name] ? localOf(filters[name]) : ''}
            onChange={({ target }) => set({ [name]: target.value ? isoOf(target.value) : undefined })}
          />
        </label>
      ))}
      {Object.keys(filters).length > 0 && <Button onClick={() => onChange({})}>{t`Clear filters`}</Button>}
    </FilterForm>
  );
}

/** @param also what an address asked for: the refusal of an operation that only reads is found by its name */
function Actions({ also }: { also: string | undefined }) {
  const groups = Object.entries(actions) as [ActionGroup, readonly string[]][];
  const isKnown = !also || groups.some(([, names]) => names.includes(also));
  return (
    <>
      {!isKnown && <option>{also}</option>}
      {groups.map(([group, names]) => (
        <optgroup key={group} label={groupNames()[group]}>
          {names.map((name) => (
            <option key={name} value={name}>
              {named(actionNames, name)}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}
