/** Deleted people who can be restored, with the time left. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { permissionsQuery } from '../../../api/client/session.ts';
import { type DeletedPerson, deletedPage, restorePerson } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { number } from '../../../parts/format.ts';
import { Forbidden } from '../../../parts/frame/forbidden.tsx';
import { ClearFilters, FilterForm, SearchField } from '../../../parts/lists/filters.tsx';
import { type Column, LongTable } from '../../../parts/lists/long-table.tsx';
import { loadNextPage, NextPageProblem } from '../../../parts/lists/next-page.tsx';
import { fieldLabels } from '../../../parts/names.ts';
import { Empty, Heading, Loading, Since, Time } from '../../../parts/small.tsx';
import { toast } from '../../../parts/toasts/toasts.tsx';
import { t, tn, useLanguage } from '../../../parts/translate.ts';
import { PeopleTabs } from './people-tabs.tsx';

export function Deleted() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  return (
    <>
      <Heading title={t`Deleted people`} />
      <PeopleTabs company={company} />
      <p className="lead">{t`For 30 days, admins can restore a deleted person with their role, history and documents.`}</p>
      {rights?.has('listDeletedCollaborators') ? <List company={company} /> : <Forbidden />}
    </>
  );
}

function List({ company }: { company: string }) {
  const { search } = useSearch({ from: '/$company/people/deleted' });
  const navigate = useNavigate();
  const show = (text: string) =>
    navigate({
      to: '/$company/people/deleted',
      params: { company },
      search: text ? { search: text } : {},
      replace: true,
    });
  const list = useInfiniteQuery({
    queryKey: [company, 'people', 'deleted', search],
    queryFn: ({ pageParam }) => deletedPage(company, search, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const people = list.data?.pages.flatMap(({ data }) => data);
  const total = list.data?.pages[0]?.total;
  const isNone = people?.length === 0;
  const isUnused = isNone && !search;
  return (
    <>
      {!isUnused && (
        <FilterForm>
          <SearchField label={t`Search by name, email, position …`} value={search ?? ''} onChange={show} />
        </FilterForm>
      )}
      <span className="quiet" role="status" id="deleted">
        {total !== undefined && !isUnused && tn(total, t`${number(total)} person`, t`${number(total)} people`)}
      </span>
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {!people && !list.error && <Loading />}
      {isNone &&
        (search ? (
          <Empty title={t`No one matches`}>
            <ClearFilters onClear={() => show('')} />
          </Empty>
        ) : (
          <Empty title={t`No one was deleted in the last 30 days`}>
            <p>{t`When you delete a person, you find them here and can restore them.`}</p>
          </Empty>
        ))}
      {people && people.length > 0 && (
        <LongTable
          labelledBy="deleted"
          rows={people}
          columns={columnsOf(company)}
          keyOf={({ id }) => id}
          onEnd={() => loadNextPage(list)}
        />
      )}
      <NextPageProblem list={list} />
    </>
  );
}

function columnsOf(company: string): Column<DeletedPerson>[] {
  return [
    { name: 'name', title: fieldLabels().name, isName: true, cell: ({ name }) => name },
    { name: 'email', title: fieldLabels().email, hasLabel: true, cell: ({ email }) => email },
    { name: 'position', title: fieldLabels().position, hasLabel: true, cell: ({ position }) => position },
    { name: 'department', title: fieldLabels().department, hasLabel: true, cell: ({ department }) => department },
    { name: 'deleted', title: t`Deleted`, hasLabel: true, cell: ({ deleted_at: at }) => <Time at={at} /> },
    {
      name: 'left',
      title: t`Permanently deleted`,
      hasLabel: true,
      cell: ({ restorable_until: until }) => <Since at={until} />,
    },
    { name: 'restore', title: t`Restore`, cell: (person) => <Restore company={company} person={person} /> },
  ];
}

function Restore({ company, person: { id, name } }: { company: string; person: DeletedPerson }) {
  const queries = useQueryClient();
  const { data: rights } = useQuery(permissionsQuery(company));
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => restorePerson(company, id),
    onSuccess: () => {
      toast(t`${name} is back`);
      return queries.invalidateQueries({ queryKey: [company, 'people'] });
    },
  });
  if (!rights?.has('restoreCollaborator')) return null;
  if (isSuccess)
    return (
      <Link to="/$company/people/$person" params={{ company, person: id }}>
        {t`Open`}
      </Link>
    );
  return (
    <>
      <Button busy={isPending} aria-label={t`Restore ${name}`} onClick={() => mutate()}>
        {t`Restore`}
      </Button>
      {error && <Problem error={error} />}
    </>
  );
}
