/** Requests an export. All options are in the URL, so it can be bookmarked and shared. */
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import { type ExportChoice, type ExportKind, startExport } from '../../api/exports.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { PersonField } from '../../parts/fields/person-field.tsx';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { fieldLabels } from '../../parts/names.ts';
import { Heading } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/translate.ts';
import { PeopleFilterForm } from '../people/list/people-filters.tsx';
import { ColumnPicker } from './column-picker.tsx';
import { formats, groups, kinds, readExportChoice } from './filters.ts';
import { FormChoice } from './form-choice.tsx';
import { formatNames, kindHints, kindNames } from './names.ts';
import { Options } from './options.tsx';

const operations: Record<ExportKind, string> = {
  list: 'exportList',
  group: 'exportGroup',
  individual: 'exportIndividual',
  personal_data: 'exportPersonalData',
};

export function NewExport() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const allowed = kinds.filter((kind) => rights?.has(operations[kind] as never));
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/exports" params={{ company }}>
          {t`Exports`}
        </Link>
      </nav>
      <Heading title={t`New export`} />
      {allowed.length > 0 ? <ExportForm company={company} allowed={allowed} /> : <Forbidden />}
    </>
  );
}

function ExportForm({ company, allowed }: { company: string; allowed: readonly ExportKind[] }) {
  const requested = useSearch({ from: '/$company/exports/new' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const navigate = useNavigate();
  const leave = useLeave();
  const queries = useQueryClient();
  const own = session.companies.find(({ id }) => id === company)?.collaborator_id;
  const kind = requested.kind && allowed.includes(requested.kind) ? requested.kind : allowed[0]!;
  const isOne = kind === 'individual' || kind === 'personal_data';
  // Readers who can export only themselves get no choice.
  const isOwn = allowed.length === 1;
  const choice: ExportChoice = { ...requested, kind, ...(isOwn && own && { person: own }) };
  const set = (change: Partial<ExportChoice>) => {
    const search = readExportChoice({ ...requested, ...change });
    return navigate({ to: '/$company/exports/new', params: { company }, search, replace: true });
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => startExport(company, choice),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company, 'exports'] });
      await leave({ to: '/$company/exports', params: { company } });
    },
  });
  const {
    kind: _,
    format,
    group_by: groupBy,
    person,
    language: __,
    delimiter: ___,
    fields,
    columns,
    ...filters
  } = choice;
  return (
    <>
      <div className="form">
        <Options
          name="kind"
          names={kindNames}
          legend={t`Contents`}
          values={allowed}
          chosen={kind}
          onChange={(to) => set({ kind: to })}
        />
        <p className="hint">{named(kindHints, kind)}</p>
        {isOne && isOwn && <p>{t`Your own record.`}</p>}
        {isOne && !isOwn && (
          <PersonField
            label={t`Person`}
            company={company}
            value={person ?? ''}
            error={undefined}
            onChange={(id) => set({ person: id || undefined })}
          />
        )}
        {kind === 'group' && (
          <label className="field short">
            <span>{t`One sheet for each`}</span>
            <select
              value={groupBy ?? 'department'}
              onChange={({ target }) => set({ group_by: target.value as ExportChoice['group_by'] })}
            >
              {groups.map((each) => (
                <option key={each} value={each}>
                  {named(fieldLabels, each)}
                </option>
              ))}
            </select>
          </label>
        )}
        {(kind === 'list' || kind === 'individual') && (
          <Options
            name="format"
            names={formatNames}
            legend={t`Format`}
            values={formats}
            chosen={format ?? 'xlsx'}
            onChange={(to) => set({ format: to })}
          />
        )}
        <FormChoice choice={choice} onChange={set} />
        {kind === 'list' && (
          <ColumnPicker company={company} listed={columns} fields={fields} onChange={(to) => set({ fields: to })} />
        )}
      </div>
      {!isOne && (
        <section aria-labelledby="who">
          <h2 id="who">{t`People in it`}</h2>
          <PeopleFilterForm company={company} filters={filters} onChange={(to) => set({ ...emptyFilters, ...to })} />
        </section>
      )}
      {error && <Problem error={error} />}
      <div className="row">
        <Button kind="primary" busy={isPending} disabled={isOne && !choice.person} onClick={() => mutate()}>
          {t`Create export`}
        </Button>
      </div>
    </>
  );
}

/** Clears filters that the new choice doesn't set. */
const emptyFilters = {
  search: undefined,
  status: undefined,
  role: undefined,
  department: undefined,
  location: undefined,
  custom_fields: undefined,
  sort: undefined,
};
