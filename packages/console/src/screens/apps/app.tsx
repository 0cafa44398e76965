/** One app: overview, settings, and test run. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { type App, appQuery } from '../../api/apps.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { day } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { AppBadges } from './app-badges.tsx';

export function AppScreen() {
  useLanguage();
  const { company, app: id } = useParams({ from: '/$company/apps/$app' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('getApp') ?? false;
  const { data, error, refetch } = useQuery({ ...appQuery(company, id), enabled: may });
  if (!may) {
    return (
      <>
        <Heading title={t`Apps`} />
        <Forbidden />
      </>
    );
  }
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/apps" params={{ company }}>
          {t`Apps`}
        </Link>
      </nav>
      {error && !data && <Heading title={t`Apps`} />}
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Heading title={data.app.name} aside={<AppBadges app={data.app} />} />
          {data.app.description && <p className="lead">{data.app.description}</p>}
          <p className="row">
            <span className="quiet">{t`Client ID`}</span> <code className="url">{data.app.client_id}</code>
            <CopyButton text={data.app.client_id} subject={t`Client ID`} />
            <Link to="/$company/connections" params={{ company }} search={{ client_id: data.app.client_id }}>
              {t`See who authorized it`}
            </Link>
          </p>
          <Approval app={data.app} />
          <Tabs company={company} app={id} />
          <Outlet />
        </>
      )}
    </>
  );
}

function Approval({ app: { visibility, approved_at: approvedAt } }: { app: App }) {
  if (visibility === 'company') return null;
  if (approvedAt)
    return (
      <p className="quiet">{t`Approved by the operator of the service for people of every company: ${day(approvedAt.slice(0, 10))}.`}</p>
    );
  return (
    <p className="advice">{t`The operator of the service hasn't approved it yet. Until then, only people of this company can authorize it. Send the operator its client ID.`}</p>
  );
}

function Tabs({ company, app }: { company: string; app: string }) {
  const params = { company, app };
  return (
    <nav className="tabs" aria-label={t`App sections`}>
      <Link to="/$company/apps/$app" params={params} activeOptions={{ exact: true }}>
        {t`Settings`}
      </Link>
      <Link to="/$company/apps/$app/try" params={params}>
        {t`Try it`}
      </Link>
    </nav>
  );
}
