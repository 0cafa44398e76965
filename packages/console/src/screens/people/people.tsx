/** The people that the reader reaches: searched as they type, filtered and sorted by the address. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { peoplePage } from '../../api/people.ts';
import { rightsQuery } from '../../api/who.ts';
import { Button } from '../../parts/button.tsx';
import { HiddenSalary } from '../../parts/hidden.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/words.ts';
import { ColumnChoice, useChosenColumns } from './columns.tsx';
import { PeopleFilterForm } from './people-filters.tsx';
import { PeopleTable } from './people-table.tsx';

export function People() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const filters = useSearch({ from: '/$company/people/' });
  const navigate = useNavigate();
  const { data: rights } = useQuery(rightsQuery(company));
  const [columns, choose] = useChosenColumns();
  const show = (search: typeof filters) =>
    navigate({ to: '/$company/people', params: { company }, search, replace: true });
  const list = useInfiniteQuery({
    queryKey: [company, 'people', 'list', filters],
    queryFn: ({ pageParam }) => peoplePage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const people = list.data?.pages.flatMap(({ data }) => data);
  const total = list.data?.pages[0]?.total;
  return (
    <>
      <Heading
        title={t`People`}
        beside={
          <>
            <Link to="/$company/people/org" params={{ company }} className="button">
              {t`Org chart`}
            </Link>
            {rights?.has('exportList') && (
              <Link to="/$company/exports/new" params={{ company }} search={filters} className="button">
                {t`Export`}
              </Link>
            )}
            {rights?.has('createCollaborator') && (
              <Link to="/$company/people/new" params={{ company }} className="button primary">
                {t`Add a person`}
              </Link>
            )}
          </>
        }
      />
      <PeopleFilterForm company={company} filters={filters} onChange={show} />
      <div className="row spread">
        <span className="row">
          <span className="quiet" role="status" id="people">
            {total !== undefined && tn(total, t`${total} person`, t`${total} people`)}
          </span>
          {rights?.has('restoreCollaborator') && rights.has('listAudit') && (
            <Link to="/$company/audit" params={{ company }} search={{ action: 'deleteCollaborator' }}>
              {t`Deleted people`}
            </Link>
          )}
        </span>
        {people?.some(({ restricted_fields: restrictedFields }) => restrictedFields?.includes('salary')) &&
          columns.includes('salary') && <HiddenSalary company={company} otherwise={null} />}
        <ColumnChoice chosen={columns} onChange={choose} />
      </div>
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {!people && !list.error && <Loading />}
      {people?.length === 0 && (
        <Empty title={t`No one matches`}>
          {Object.keys(filters).length > 0 && <Button onClick={() => show({})}>{t`Clear filters`}</Button>}
        </Empty>
      )}
      {people && people.length > 0 && (
        <PeopleTable
          company={company}
          people={people}
          columns={columns}
          sort={filters.sort}
          onSort={(sort) => show({ ...filters, sort })}
          onEnd={() => list.hasNextPage && !list.isFetching && void list.fetchNextPage()}
        />
      )}
    </>
  );
}
