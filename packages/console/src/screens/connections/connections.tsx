/** Apps connected to the company, newest first; filters in the URL. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { permissionsQuery } from '../../api/client/session.ts';
import { docsUrl, ownClientId } from '../../api/client/sign-in.ts';
import { type ConnectionFilters, connectionPage } from '../../api/connections.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { loadNextPage, NextPageProblem } from '../../parts/lists/next-page.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/translate.ts';
import { ConnectionFilterForm } from './connection-filters.tsx';
import { ConnectionTable } from './connection-table.tsx';

/** Loads further pages until there are this many rows. */
const minVisible = 20;

export function Connections() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const isAdmin = rights?.has('listApps') ?? false;
  return (
    <>
      <Heading title={t`Connected apps`} />
      <p className="lead">
        {isAdmin
          ? t`The apps with access to the company, who authorized them, and when they were last used. Sign-ins to this console are hidden; filter by the console to see them.`
          : t`The apps that you authorized to act for you in the company. Sign-ins to this console are hidden; filter by the console to see them.`}
      </p>
      {rights?.has('listAudit') && (
        <p>
          <Link to="/$company/audit" params={{ company }} search={{ action: 'tool.called' }}>
            {t`Actions of assistants`}
          </Link>
        </p>
      )}
      {rights?.has('listConnections') ? <List company={company} isAdmin={isAdmin} /> : <Forbidden />}
    </>
  );
}

function List({ company, isAdmin }: { company: string; isAdmin: boolean }) {
  const filters = useSearch({ from: '/$company/connections/' });
  const navigate = useNavigate();
  const show = (search: ConnectionFilters) =>
    navigate({ to: '/$company/connections', params: { company }, search, replace: true });
  const list = useInfiniteQuery({
    queryKey: [company, 'connections', 'list', filters],
    queryFn: ({ pageParam }) => connectionPage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const found = list.data?.pages.flatMap(({ data }) => data);
  // Every console user has a connection to the console itself: hide those unless the filter asks for an app.
  const connections = found?.filter(({ app }) => filters.client_id || app.client_id !== ownClientId);
  const loadMore = () => loadNextPage(list);
  const isShort = connections !== undefined && connections.length < minVisible;
  const isSearching = connections?.length === 0 && list.hasNextPage;
  useEffect(() => {
    if (isShort) loadMore();
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <ConnectionFilterForm company={company} isAdmin={isAdmin} filters={filters} onChange={show} />
      <span className="quiet" role="status" id="connections">
        {connections &&
          connections.length > 0 &&
          (list.hasNextPage
            ? tn(
                connections.length,
                t`The latest connection, more below`,
                t`The latest ${number(connections.length)} connections, more below`,
              )
            : tn(
                connections.length,
                t`${number(connections.length)} connection`,
                t`${number(connections.length)} connections`,
              ))}
      </span>
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {!list.error && (!connections || isSearching) && <Loading />}
      {connections?.length === 0 &&
        !isSearching &&
        (isFiltered ? <NoMatch onClear={() => show({})} /> : <None company={company} isAdmin={isAdmin} />)}
      {connections && connections.length > 0 && (
        <ConnectionTable company={company} connections={connections} onEnd={loadMore} />
      )}
      <NextPageProblem list={list} />
    </>
  );
}

function NoMatch({ onClear }: { onClear(): void }) {
  return (
    <Empty title={t`No connections match these filters`}>
      <Button onClick={onClear}>{t`Clear filters`}</Button>
    </Empty>
  );
}

function None({ company, isAdmin }: { company: string; isAdmin: boolean }) {
  return (
    <Empty title={t`No connected apps yet`}>
      <p>
        {isAdmin
          ? t`When someone authorizes an app, or an admin installs one, it appears here with its permissions. Register an app of your own and try it.`
          : t`When you authorize an app, it appears here with its permissions, and you can end the connection.`}
      </p>
      <p className="row">
        {isAdmin && (
          <Link to="/$company/apps" params={{ company }} className="button primary">
            {t`Apps`}
          </Link>
        )}
        <a className="button" href={`${docsUrl}/guides/installations`}>
          {t`About connections and installations`}
        </a>
      </p>
    </Empty>
  );
}
