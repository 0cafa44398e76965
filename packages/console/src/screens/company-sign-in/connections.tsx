/** Identity providers for single sign-on. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { connectionsQuery, type SignInConnection } from '../../api/sign-in-connections.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Badge, Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/translate.ts';

export function SignInConnections() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('listSignInConnections') ?? false;
  const { data, error, refetch } = useQuery({ ...connectionsQuery(company), enabled: may });
  return (
    <>
      <Heading
        title={t`Sign-in`}
        aside={
          rights?.has('createSignInConnection') && (
            <Link to="/$company/sign-in/new" params={{ company }} className="button primary">
              {t`Connect a provider`}
            </Link>
          )
        }
      />
      <p className="lead">{t`People sign in with the identity provider of your company.`}</p>
      {may ? (
        <>
          {error && <Problem error={error} retry={refetch} />}
          {!data && !error && <Loading />}
          {data && (data.length === 0 ? <None /> : <List company={company} connections={data} />)}
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function None() {
  return (
    <Empty title={t`No provider connected yet`}>
      <p>{t`Connect Okta, Microsoft Entra ID, Google Workspace, JumpCloud, or Keycloak. People then sign in here as they do everywhere else in your company.`}</p>
      <a className="button" href={`${docsUrl}/guides/single-sign-on`}>
        {t`How single sign-on works`}
      </a>
    </Empty>
  );
}

function List({ company, connections }: { company: string; connections: SignInConnection[] }) {
  return (
    <ul className="cards">
      {connections.map((connection) => (
        <li key={connection.id} className="card">
          <div className="row spread">
            <Link
              to="/$company/sign-in/$connection"
              params={{ company, connection: connection.id }}
              className="card-link"
            >
              {connection.name}
            </Link>
            <State connection={connection} />
          </div>
          <p className="quiet">
            {tn(
              connection.people_count,
              t`${number(connection.people_count)} person`,
              t`${number(connection.people_count)} people`,
            )}
            {' · '}
            {connection.issuer}
          </p>
        </li>
      ))}
    </ul>
  );
}

export function State({ connection: { status } }: { connection: SignInConnection }) {
  if (status === 'enabled') return <Badge tone="good">{t`Enabled`}</Badge>;
  return <Badge tone="waiting">{t`Draft`}</Badge>;
}
