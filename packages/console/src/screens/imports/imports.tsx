/** The imports of a company: what became of each file. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type Import, importsPage, isUnderWay } from '../../api/imports.ts';
import { rightsQuery } from '../../api/who.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, FilterForm } from '../../parts/filters.tsx';
import { Forbidden } from '../../parts/forbidden.tsx';
import { type Column, LongTable } from '../../parts/long-table.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Empty, Heading, Loading, Time } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/words.ts';
import { readImportFilters, statuses } from './filters.ts';
import { ImportBadge } from './import-badge.tsx';
import { countsInWords } from './outcome.tsx';
import { TemplateButtons } from './template-buttons.tsx';

export function Imports() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(rightsQuery(company));
  return (
    <>
      <Heading
        title={t('imports')}
        beside={
          rights?.has('importCollaborators') && (
            <Link to="/$company/imports/new" params={{ company }} className="button primary">
              {t('import.new')}
            </Link>
          )
        }
      />
      <p className="lead" id="imports">
        {t('imports.lead')}
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
  const is_filtered = filters.status !== undefined;
  return (
    <>
      {(is_filtered || jobs?.length !== 0) && (
        <FilterForm>
          <Choice label={t('filters.status')} value={filters.status} onChange={(status) => show({ status })}>
            {statuses.map((status) => (
              <option key={status} value={status}>
                {named('import.status', status)}
              </option>
            ))}
          </Choice>
        </FilterForm>
      )}
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {!jobs && !list.error && <Loading />}
      {jobs?.length === 0 &&
        (is_filtered ? (
          <Empty title={t('imports.no-match')}>
            <Button onClick={() => show({})}>{t('filters.clear')}</Button>
          </Empty>
        ) : (
          <Empty title={t('imports.none')}>
            <p>{t('imports.none.more')}</p>
            <TemplateButtons company={company} />
          </Empty>
        ))}
      {jobs && jobs.length > 0 && (
        <LongTable
          labelled_by="imports"
          rows={jobs}
          columns={columnsOf(company)}
          keyOf={({ id }) => id}
          onEnd={() => list.hasNextPage && !list.isFetching && void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function columnsOf(company: string): Column<Import>[] {
  return [
    {
      name: 'file',
      title: t('import.file'),
      is_name: true,
      cell: ({ id, filename }) => (
        <Link to="/$company/imports/$import" params={{ company, import: id }} className="row-link file-name">
          {filename}
        </Link>
      ),
    },
    { name: 'state', title: t('filters.status'), cell: (job) => <ImportBadge job={job} /> },
    {
      name: 'outcome',
      title: t('import.outcome'),
      cell: (job) => {
        if (isUnderWay(job)) return `${job.progress.percent} %`;
        return job.failure ? named('import.failure', job.failure.reason) : countsInWords(job);
      },
    },
    { name: 'time', title: t('delivery.created'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}
