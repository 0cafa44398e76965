/** A person: summary and actions, then profile, history, documents, and notifications. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { ApiError } from '../../../api/client/client.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import { personQuery } from '../../../api/people.ts';
import { Problem } from '../../../parts/errors/problem.tsx';
import { roleNames } from '../../../parts/names.ts';
import { Heading, Loading } from '../../../parts/small.tsx';
import { named, t, useLanguage } from '../../../parts/translate.ts';
import { Avatar, PersonBadge } from '../person-badge.tsx';
import { PersonActions } from './person-actions.tsx';
import { RestorePerson } from './restore-person.tsx';

export function PersonScreen() {
  useLanguage();
  const { company, person: id } = useParams({ from: '/$company/people/$person' });
  const { data, error, refetch } = useQuery(personQuery(company, id));
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/people" params={{ company }}>
          {t`People`}
        </Link>
      </nav>
      {error && !data && <Heading title={t`People`} />}
      {error && <Problem error={error} retry={refetch} />}
      {error instanceof ApiError && error.status === 404 && <RestorePerson company={company} id={id} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <div className="row person-head">
            <Avatar name={data.person.name} url={data.person.avatar_url} large />
            <div>
              <Heading title={data.person.name} />
              <p className="row">
                <PersonBadge status={data.person.status} />
                <span>{data.person.position}</span>
                <span className="quiet">{named(roleNames, data.person.role)}</span>
              </p>
            </div>
          </div>
          <PersonActions company={company} person={data.person} />
          <Tabs company={company} person={id} />
          <Outlet />
        </>
      )}
    </>
  );
}

function Tabs({ company, person }: { company: string; person: string }) {
  const { data: rights } = useQuery(permissionsQuery(company));
  const params = { company, person };
  return (
    <nav className="tabs" aria-label={t`Person sections`}>
      <Link to="/$company/people/$person" params={params} activeOptions={{ exact: true }}>
        {t`Profile`}
      </Link>
      {rights?.has('listHistory') && (
        <Link to="/$company/people/$person/history" params={params}>
          {t`History`}
        </Link>
      )}
      {rights?.has('listDocuments') && (
        <Link to="/$company/people/$person/documents" params={params}>
          {t`Documents`}
        </Link>
      )}
      {rights?.has('getNotifications') && (
        <Link to="/$company/people/$person/notifications" params={params}>
          {t`Notifications`}
        </Link>
      )}
    </nav>
  );
}
