/** The people list: search as you type, with filters and sort order in the URL. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../api/client/client.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import { customFieldsQuery } from '../../../api/custom-fields.ts';
import { findAllPeople, type PeopleFilters, peoplePage, type SelectedPerson } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { number } from '../../../parts/format.ts';
import { HiddenField } from '../../../parts/hidden.tsx';
import { ClearFilters } from '../../../parts/lists/filters.tsx';
import { loadNextPage, NextPageProblem } from '../../../parts/lists/next-page.tsx';
import { Empty, Heading, Loading } from '../../../parts/small.tsx';
import { t, tn, useLanguage } from '../../../parts/translate.ts';
import { SavedViews } from '../../../parts/views/saved-views.tsx';
import type { ListSearch } from '../filters.ts';
import { fromView, isActiveView, toView } from '../view-filters.ts';
import { ColumnChoice, columnOf, useChosenColumns } from './columns.tsx';
import { PeopleFilterForm } from './people-filters.tsx';
import { PeopleTable } from './people-table.tsx';
import { PeopleTabs } from './people-tabs.tsx';
import { SelectionBar } from './selection-bar.tsx';

export function People() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const search = useSearch({ from: '/$company/people/' });
  const { columns: requestedColumns, ...filters } = search;
  const navigate = useNavigate();
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  const [columns, choose] = useChosenColumns(custom, requestedColumns);
  const open = (to: ListSearch) => navigate({ to: '/$company/people', params: { company }, search: to, replace: true });
  const show = (to: PeopleFilters) =>
    open({ ...to, ...(requestedColumns !== undefined && { columns: requestedColumns }) });
  const list = useInfiniteQuery({
    queryKey: [company, 'people', 'list', filters],
    queryFn: ({ pageParam }) => peoplePage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const selection = useSelection();
  const { chosen } = selection;
  const people = list.data?.pages.flatMap(({ data }) => data);
  const total = list.data?.pages[0]?.total;
  // A hidden column that a recent sign-in may reveal.
  const hiddenField = columns.find(
    (column) =>
      (column === 'salary' || custom.some((field) => field.sensitive && columnOf(field) === column)) &&
      people?.some(({ restricted_fields: hidden }) => hidden?.includes(column)),
  );
  return (
    <>
      <Heading
        title={t`People`}
        aside={
          <>
            {rights?.has('exportList') && (
              <Link to="/$company/exports/new" params={{ company }} search={search} className="button">
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
      <PeopleTabs company={company} />
      <PeopleFilterForm company={company} filters={filters} onChange={show} />
      <div className="row spread">
        <span className="quiet" role="status" id="people">
          {total !== undefined && tn(total, t`${number(total)} person`, t`${number(total)} people`)}
        </span>
        {hiddenField && <HiddenField company={company} field={hiddenField} fallback={null} />}
        <div className="row">
          {rights?.has('listSavedViews') && (
            <SavedViews
              company={company}
              current={toView(filters, columns)}
              isActive={(view) => isActiveView(view, filters, columns)}
              linkTo={(view) => ({ to: '/$company/people', params: { company }, search: fromView(view) })}
              about={t`Filters, order, and columns, for you alone, on every device.`}
              advice={t`No saved views yet. Filter or sort the list, or choose its columns, then save what you see.`}
              onOpen={(view) => open(fromView(view))}
            />
          )}
          <ColumnChoice
            custom={custom}
            chosen={columns}
            onChange={(names) =>
              requestedColumns === undefined ? choose(names) : void open({ ...filters, columns: names.join() })
            }
          />
        </div>
      </div>
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {/* Such as by a field that was archived since, whose filter isn't shown. */}
      {list.error instanceof ApiError && list.error.status === 400 && (
        <Button onClick={() => open({})}>{t`Show everyone`}</Button>
      )}
      {!people && !list.error && <Loading />}
      {people?.length === 0 && (
        <Empty title={t`No one matches`}>
          {Object.keys(filters).length > 0 && <ClearFilters onClear={() => show({})} />}
        </Empty>
      )}
      {/* Before the rows, which may be thousands, and shown below them. */}
      {chosen.size > 0 && (
        <SelectionBar
          company={company}
          chosen={[...chosen.values()]}
          total={total ?? 0}
          findAll={() => findAllPeople(company, filters)}
          onAll={selection.set}
          onClear={() => selection.set([])}
        />
      )}
      {people && people.length > 0 && (
        <PeopleTable
          company={company}
          people={people}
          columns={columns}
          custom={custom}
          sort={filters.sort}
          onSort={(sort) => show({ ...filters, sort })}
          selection={
            rights?.has('bulkCollaborators')
              ? { chosen: new Set(chosen.keys()), nameOf: ({ name = '' }) => name, onChoose: selection.choose }
              : undefined
          }
          onEnd={() => loadNextPage(list)}
        />
      )}
      <NextPageProblem list={list} />
    </>
  );
}

/** The selection survives searching and sorting, so that a bulk action can combine several searches. */
function useSelection() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, SelectedPerson>>(new Map());
  return {
    chosen,
    set: (people: readonly SelectedPerson[]) => setChosen(new Map(people.map((person) => [person.id, person]))),
    choose: (people: readonly SelectedPerson[], isChosen: boolean) => {
      const now = new Map(chosen);
      for (const person of people) {
        if (isChosen) now.set(person.id, person);
        else now.delete(person.id);
      }
      setChosen(now);
    },
  };
}
