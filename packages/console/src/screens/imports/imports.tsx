/** The company's imports and their results. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { type Import, importsPage, isUnderWay } from '../../api/imports.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Choice, FilterForm } from '../../parts/lists/filters.tsx';
import { type Column, LongTable } from '../../parts/lists/long-table.tsx';
import { loadNextPage, NextPageProblem } from '../../parts/lists/next-page.tsx';
import { Empty, Heading, Loading, Time } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/translate.ts';
import { countsText } from './done/outcome.tsx';
import { TemplateButtons } from './file/template-buttons.tsx';
import { readImportFilters, statuses } from './filters.ts';
import { ImportBadge } from './import-badge.tsx';
import { failureNames, statusNames } from './names.ts';

export function Imports() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  return (
    <>
      <Heading
        title={t`Imports`}
        aside={
          rights?.has('importCollaborators') && (
            <Link to="/$company/imports/new" params={{ company }} className="button primary">
              {t`Import a file`}
            </Link>
          )
        }
      />
      <p className="lead" id="imports">
        {t`Files that added or changed people. Imports are kept for 30 days.`}
      </p>
      {rights?.has('listImports') ? <List company={company} /> : <Forbidden />}
    </>
  );
}

function List({ company }: { company: string }) {
  const filters = useSearch({ from: '/$company/imports' });
  const navigate = useNavigate();
  const show = (search: Record<string, unknown>) =>
    navigate({ to: '/$company/imports', params: { company }, search: readImportFilters(search), replace: true });
  const list = useInfiniteQuery({
    queryKey: [company, 'imports', 'list', filters],
    queryFn: ({ pageParam }) => importsPage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? 2_000 : 15_000),
  });
  const jobs = list.data?.pages.flatMap(({ data }) => data);
  const isFiltered = filters.status !== undefined;
  return (
    <>
      {(isFiltered || jobs?.length !== 0) && (
        <FilterForm active={Object.keys(filters).length}>
          <Choice label={t`Status`} value={filters.status} onChange={(status) => show({ status })}>
            {statuses.map((status) => (
              <option key={status} value={status}>
                {named(statusNames, status)}
              </option>
            ))}
          </Choice>
        </FilterForm>
      )}
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {!jobs && !list.error && <Loading />}
      {jobs?.length === 0 &&
        (isFiltered ? (
          <Empty title={t`No imports have this status`}>
            <Button onClick={() => show({})}>{t`Clear filters`}</Button>
          </Empty>
        ) : (
          <Empty title={t`No imports yet`}>
            <p>{t`Choose “Import a file” to add many people at once. The template has all columns and an example:`}</p>
            <TemplateButtons company={company} />
          </Empty>
        ))}
      {jobs && jobs.length > 0 && (
        <LongTable
          labelledBy="imports"
          rows={jobs}
          columns={columnsOf(company)}
          keyOf={({ id }) => id}
          onEnd={() => loadNextPage(list)}
        />
      )}
      <NextPageProblem list={list} />
    </>
  );
}

function columnsOf(company: string): Column<Import>[] {
  return [
    {
      name: 'file',
      title: t`File`,
      isName: true,
      cell: ({ id, filename }) => (
        <Link to="/$company/imports/$import" params={{ company, import: id }} className="row-link file-name">
          {filename}
        </Link>
      ),
    },
    { name: 'state', title: t`Status`, cell: (job) => <ImportBadge job={job} /> },
    {
      name: 'outcome',
      title: t`Result`,
      cell: (job) => {
        if (isUnderWay(job)) return `${job.progress.percent} %`;
        return job.failure ? named(failureNames, job.failure.reason) : countsText(job);
      },
    },
    { name: 'time', title: t`Created`, cell: ({ created_at: createdAt }) => <Time at={createdAt} /> },
  ];
}
