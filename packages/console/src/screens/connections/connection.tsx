/** One connection: the app's access, on whose behalf, since when, and revocation. */
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import { ownClientId } from '../../api/client/sign-in.ts';
import { type Connection, connectionQuery, endConnection } from '../../api/connections.ts';
import { DangerPanel } from '../../parts/danger-panel.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { ScopeList } from '../../parts/fields/scopes.tsx';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { moment } from '../../parts/format.ts';
import { roleNames } from '../../parts/names.ts';
import { Heading, Loading } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/translate.ts';
import { ClientOwner } from './publisher.tsx';
import { Unconfirmed } from './unconfirmed.tsx';

export function ConnectionScreen() {
  useLanguage();
  const { company, connection: id } = useParams({ from: '/$company/connections/$connection' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: connection, error, refetch } = useQuery(connectionQuery(company, id));
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/connections" params={{ company }}>
          {t`Connected apps`}
        </Link>
      </nav>
      {error && !connection && <Heading title={t`Connected apps`} />}
      {error && <Problem error={error} retry={refetch} />}
      {!connection && !error && <Loading />}
      {connection && (
        <>
          <Heading title={connection.app.name} aside={<ClientOwner app={connection.app} />} />
          <p className="lead">{sentence(connection)}</p>
          {connection.confirmation_requested_at && (
            <Unconfirmed
              company={company}
              connection={connection}
              canConfirm={rights?.has('confirmConnection') ?? false}
            />
          )}
          <section className="panel" aria-labelledby="may">
            <h2 id="may">{t`Permissions`}</h2>
            <ScopeList names={connection.scopes} installed={connection.kind === 'installation'} />
          </section>
          <Facts company={company} connection={connection} />
          {rights?.has('endConnection') && <End company={company} connection={connection} />}
        </>
      )}
    </>
  );
}

function sentence({ kind, role, allowed_by: allowedBy }: Connection): string {
  const name = allowedBy.name ?? t`someone who has left`;
  return kind === 'installation'
    ? t`${name} installed it for the company. It acts on its own as ${named(roleNames, role ?? '')}, and stays when ${name} leaves.`
    : t`It acts for ${name} with the rights that ${name} has, and ends with their access.`;
}

function Facts({ company, connection }: { company: string; connection: Connection }) {
  const {
    app,
    allowed_by: allowedBy,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
    last_ip: lastIp,
  } = connection;
  const used = lastUsedAt && [moment(lastUsedAt), lastIp].filter(Boolean).join(' · ');
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 id="facts">{t`Details`}</h2>
      <dl className="facts">
        <Fact name={t`Authorized by`}>
          {allowedBy.collaborator_id ? (
            <Link to="/$company/people/$person" params={{ company, person: allowedBy.collaborator_id }}>
              {allowedBy.name}
            </Link>
          ) : (
            t`someone who has left`
          )}
        </Fact>
        <Fact name={t`Since`}>{moment(createdAt)}</Fact>
        <Fact name={t`Expires`}>{expiresAt ? moment(expiresAt) : t`never`}</Fact>
        <Fact name={t`Last used`}>{used ?? t`not in the last 31 days`}</Fact>
        <Fact name={t`Website`}>
          {app.website ? (
            <a href={app.website} rel="noreferrer">
              {app.website}
            </a>
          ) : (
            '–'
          )}
        </Fact>
        <Fact name={t`Client ID`}>
          <code>{app.client_id}</code>
        </Fact>
      </dl>
      <p className="row">
        <Link to="/$company/connections" params={{ company }} search={{ client_id: app.client_id }}>
          {t`All connections of ${app.name}`}
        </Link>
      </p>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function End({ company, connection }: { company: string; connection: Connection }) {
  const queries = useQueryClient();
  const leave = useLeave();
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <DangerPanel
      title={t`End connection`}
      description={t`Revokes the access that the app was given here.`}
      actionLabel={t`End the connection`}
      question={t`End the connection to ${connection.app.name}`}
      about={consequence(connection, session.id)}
      perform={async () => {
        await endConnection(company, connection.id);
        queries.removeQueries({ queryKey: [company, 'connections', 'list'] });
        await leave({ to: '/$company/connections', params: { company } });
        queries.removeQueries({ queryKey: [company, 'connections', 'one', connection.id] });
        await queries.invalidateQueries({ queryKey: [company, 'connections'] });
      }}
    />
  );
}

/** Effect of revoking the connection. */
function consequence({ app, kind, allowed_by: allowedBy }: Connection, ownUserId: string): string {
  if (app.client_id === ownClientId) {
    return allowedBy.user_id === ownUserId
      ? t`This is your own sign-in to the console: you have to sign in again.`
      : t`This is someone's sign-in to the console: they have to sign in again.`;
  }
  return kind === 'installation'
    ? t`${app.name} loses access to this company within a second, and everything it does for the company stops working. An admin can install it again.`
    : t`${app.name} loses access to ${allowedBy.name ?? t`someone who has left`}'s data in this company within a second. It can be authorized again.`;
}
