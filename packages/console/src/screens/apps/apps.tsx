/** Apps registered by the company. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type App, appsQuery } from '../../api/apps.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { AppBadges } from './app-badges.tsx';

export function Apps() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('listApps') ?? false;
  const { data, error, refetch } = useQuery({ ...appsQuery(company), enabled: may });
  return (
    <>
      <Heading
        title={t`Apps`}
        aside={
          rights?.has('createApp') && (
            <Link to="/$company/apps/new" params={{ company }} className="button primary">
              {t`Register an app`}
            </Link>
          )
        }
      />
      <p className="lead">{t`The company's own apps, which people authorize or admins install.`}</p>
      {may ? (
        <>
          {error && <Problem error={error} retry={refetch} />}
          {!data && !error && <Loading />}
          {data && (data.length === 0 ? <None /> : <List company={company} apps={data} />)}
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function None() {
  return (
    <Empty title={t`No apps registered yet`}>
      <p>{t`Register an app for a program of your own. It gets a client ID, and people sign in to it with their account here.`}</p>
      <a className="button" href={`${docsUrl}/guides/first-app`}>
        {t`Your first app in five minutes`}
      </a>
    </Empty>
  );
}

function List({ company, apps }: { company: string; apps: App[] }) {
  return (
    <ul className="cards">
      {apps.map((app) => (
        <li key={app.id} className="card">
          <div className="row spread">
            <Link to="/$company/apps/$app" params={{ company, app: app.id }} className="card-link">
              {app.name}
            </Link>
            <AppBadges app={app} />
          </div>
          {app.description && <p>{app.description}</p>}
          <p className="quiet url">{app.redirect_uris.join(' · ')}</p>
        </li>
      ))}
    </ul>
  );
}
