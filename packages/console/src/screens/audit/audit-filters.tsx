import { useQuery } from '@tanstack/react-query';
import { type AuditFilters, quietKinds } from '../../api/audit-filters.ts';
import { customFieldsQuery } from '../../api/custom-fields.ts';
import { Button } from '../../parts/button.tsx';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { isoOf, localOf } from '../../parts/format.ts';
import { Choice, FilterForm } from '../../parts/lists/filters.tsx';
import { fieldLabels } from '../../parts/names.ts';
import { named, t } from '../../parts/translate.ts';
import { type ActionGroup, actions } from './actions.ts';
import { readAuditFilters } from './filters.ts';
import { actionNames, filterNames, groupNames, quietNames } from './names.ts';
import { PersonFilter } from './person-filter.tsx';

/** Fields of people, most requested first. */
const changedFields = [
  'salary',
  'role',
  'status',
  'manager_id',
  'department',
  'position',
  'location',
  'name',
  'email',
  'phone',
  'hire_date',
  'termination_date',
  'work_schedule',
  'employee_number',
  'external_id',
  'emergency_contact',
  'custom_fields',
] as const;

interface FiltersProps {
  company: string;
  filters: AuditFilters;
  onChange(filters: AuditFilters): void;
}

export function AuditFilterForm({ company, filters, onChange }: FiltersProps) {
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  const set = (change: Record<string, string | undefined>) => onChange(readAuditFilters({ ...filters, ...change }));
  return (
    <FilterForm active={Object.keys(filters).length}>
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
        <Actions current={filters.action} />
      </Choice>
      <Choice
        label={t`Changed field`}
        value={filters.changed_field}
        onChange={(changedField) => set({ changed_field: changedField })}
      >
        {changedFields.map((name) => (
          <option key={name} value={name}>
            {fieldLabels()[name]}
          </option>
        ))}
        {custom.map((field) => (
          <option key={field.key} value={`custom_fields.${field.key}`}>
            {labelOf(field.label)}
          </option>
        ))}
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
      {!filters.action && <Quiet visibleKinds={filters.show ?? ''} onChange={(show) => set({ show })} />}
      {Object.keys(filters).length > 0 && <Button onClick={() => onChange({})}>{t`Clear filters`}</Button>}
    </FilterForm>
  );
}

/** Toggles for frequent, read-only kinds, hidden by default. */
function Quiet({ visibleKinds, onChange }: { visibleKinds: string; onChange(visibleKinds: string): void }) {
  const kinds = visibleKinds.split(',');
  return (
    <fieldset className="checks">
      <legend>{t`Also show`}</legend>
      {quietKinds.map((kind) => (
        <label key={kind} className="check">
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              onChange(quietKinds.filter((each) => (each === kind ? target.checked : kinds.includes(each))).join())
            }
          />
          {quietNames()[kind]}
        </label>
      ))}
    </fieldset>
  );
}

/** @param current an action from the URL, because refusals of read operations are logged under their operation id */
function Actions({ current }: { current: string | undefined }) {
  const groups = Object.entries(actions) as [ActionGroup, readonly string[]][];
  const isKnown = !current || groups.some(([, names]) => names.includes(current));
  return (
    <>
      {!isKnown && <option>{current}</option>}
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
