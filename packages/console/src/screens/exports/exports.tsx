/** The reader's exports: progress and downloads. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { exportsPage, isUnderWay } from '../../api/exports.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Choice, FilterForm } from '../../parts/lists/filters.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/translate.ts';
import { ExportCard } from './export-card.tsx';
import { readExportFilters, statuses } from './filters.ts';
import { statusNames } from './names.ts';

export function Exports() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  return (
    <>
      <Heading
        title={t`Exports`}
        aside={
          rights?.has('exportIndividual') && (
            <Link to="/$company/exports/new" params={{ company }} className="button primary">
              {t`New export`}
            </Link>
          )
        }
      />
      <p className="lead">{t`Files that you exported. Only you can see them, and each is kept for one day.`}</p>
      {rights?.has('listExports') ? <List company={company} /> : <Forbidden />}
    </>
  );
}

function List({ company }: { company: string }) {
  const filters = useSearch({ from: '/$company/exports' });
  const navigate = useNavigate();
  const show = (search: Record<string, unknown>) =>
    navigate({ to: '/$company/exports', params: { company }, search: readExportFilters(search), replace: true });
  const list = useInfiniteQuery({
    queryKey: [company, 'exports', 'list', filters],
    queryFn: ({ pageParam }) => exportsPage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // Keep polling when idle: download URLs expire after 15 minutes.
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? 1_000 : 60_000),
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
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {!jobs && !list.error && <Loading />}
      {jobs?.length === 0 &&
        (isFiltered ? (
          <Empty title={t`No exports have this status`}>
            <Button onClick={() => show({})}>{t`Clear filters`}</Button>
          </Empty>
        ) : (
          <Empty title={t`You have no exports`}>
            <p>{t`Choose “New export”, or “Export” above a filtered list of people.`}</p>
          </Empty>
        ))}
      <ul className="cards" aria-label={t`Exports`}>
        {jobs?.map((job) => (
          <ExportCard key={job.id} company={company} job={job} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t`Show earlier exports`}
        </Button>
      )}
    </>
  );
}
