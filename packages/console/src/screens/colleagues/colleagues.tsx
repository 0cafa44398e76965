/** The people directory, for every role: search as you type, and filters by the department or location of a listed person. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { permissionsQuery } from '../../api/client/session.ts';
import { type Colleague, type ColleagueFilters, colleaguesPage } from '../../api/people.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { ClearFilters, SearchField } from '../../parts/lists/filters.tsx';
import { type Column, LongTable } from '../../parts/lists/long-table.tsx';
import { loadNextPage, NextPageProblem } from '../../parts/lists/next-page.tsx';
import { fieldLabels } from '../../parts/names.ts';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/translate.ts';
import { Avatar } from '../people/person-badge.tsx';

export function Colleagues() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  return (
    <>
      <Heading title={t`Colleagues`} />
      {rights && !rights.has('listColleagues') && (
        <Empty title={t`Your company has no people directory`}>
          {rights.has('updateCompany') && (
            <Link to="/$company/company" params={{ company }} className="button">
              {t`Company settings`}
            </Link>
          )}
        </Empty>
      )}
      {rights?.has('listColleagues') && <List company={company} />}
    </>
  );
}

function List({ company }: { company: string }) {
  const filters = useSearch({ from: '/$company/colleagues' });
  const navigate = useNavigate();
  const show = (search: ColleagueFilters) =>
    navigate({ to: '/$company/colleagues', params: { company }, search, replace: true });
  const { search: _, ...others } = filters;
  const list = useInfiniteQuery({
    queryKey: [company, 'colleagues', filters],
    queryFn: ({ pageParam }) => colleaguesPage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const people = list.data?.pages.flatMap(({ data }) => data);
  const total = list.data?.pages[0]?.total;
  return (
    <>
      <search className="filters" aria-label={t`Filters`}>
        <form onSubmit={(event) => event.preventDefault()}>
          <SearchField
            label={t`Search by name, email or position`}
            value={filters.search ?? ''}
            onChange={(text) => show(text.trim() ? { ...others, search: text } : others)}
          />
        </form>
      </search>
      <div className="row">
        <span className="quiet" role="status" id="colleagues">
          {total !== undefined && tn(total, t`${number(total)} person`, t`${number(total)} people`)}
        </span>
        {(['department', 'location'] as const).map((name) => (
          <ActiveFilter key={name} name={name} filters={filters} onChange={show} />
        ))}
      </div>
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {!people && !list.error && <Loading />}
      {people?.length === 0 && (
        <Empty title={t`No one matches`}>
          {Object.keys(filters).length > 0 && <ClearFilters onClear={() => show({})} />}
        </Empty>
      )}
      {people && people.length > 0 && (
        <LongTable
          labelledBy="colleagues"
          rows={people}
          columns={columnsOf(company, filters)}
          keyOf={({ email }) => email}
          onEnd={() => loadNextPage(list)}
        />
      )}
      <NextPageProblem list={list} />
    </>
  );
}

interface ActiveFilterProps {
  name: 'department' | 'location';
  filters: ColleagueFilters;
  onChange(filters: ColleagueFilters): void;
}

/** An active filter; clicking removes it. */
function ActiveFilter({ name, filters: { [name]: value, ...others }, onChange }: ActiveFilterProps) {
  if (!value) return null;
  return (
    <Button onClick={() => onChange(others)}>
      <span className="unseen">{t`Remove the filter`} </span>
      {fieldLabels()[name]}: {value}
      <X aria-hidden size={14} />
    </Button>
  );
}

function columnsOf(company: string, filters: ColleagueFilters): Column<Colleague>[] {
  const filterColumn = (name: 'department' | 'location'): Column<Colleague> => ({
    name,
    title: fieldLabels()[name],
    hasLabel: true,
    cell: ({ [name]: value }) =>
      value ? (
        <Link to="/$company/colleagues" params={{ company }} search={{ ...filters, [name]: value }}>
          {value}
        </Link>
      ) : (
        <span className="quiet">–</span>
      ),
  });
  return [
    {
      name: 'name',
      title: t`Name`,
      isName: true,
      cell: ({ name, avatar_url: avatarUrl }) => (
        <span className="person-link">
          <Avatar name={name} url={avatarUrl} />
          <strong>{name}</strong>
        </span>
      ),
    },
    { name: 'position', title: fieldLabels().position, hasLabel: true, cell: ({ position }) => position },
    filterColumn('department'),
    filterColumn('location'),
    {
      name: 'email',
      title: fieldLabels().email,
      hasLabel: true,
      cell: ({ email }) => <a href={`mailto:${email}`}>{email}</a>,
    },
  ];
}
