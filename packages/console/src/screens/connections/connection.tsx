/** One connection whole: what the app may do, for whom, since when; and its end. */
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Connection, connectionQuery, endConnection } from '../../api/connections.ts';
import { own_client_id } from '../../api/sign-in.ts';
import { rightsQuery, whoQuery } from '../../api/who.ts';
import { EndPanel } from '../../parts/end-panel.tsx';
import { moment } from '../../parts/format.ts';
import { Problem } from '../../parts/problem.tsx';
import { ScopeList } from '../../parts/scopes.tsx';
import { Heading, Loading } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/words.ts';
import { Maker } from './maker.tsx';
import { Unconfirmed } from './unconfirmed.tsx';

export function ConnectionScreen() {
  useLanguage();
  const { company, connection: id } = useParams({ from: '/$company/connections/$connection' });
  const { data: rights } = useQuery(rightsQuery(company));
  const { data: connection, error, refetch } = useQuery(connectionQuery(company, id));
  return (
    <>
      <nav aria-label={t('path')} className="path">
        <Link to="/$company/connections" params={{ company }}>
          {t('connections')}
        </Link>
      </nav>
      {error && !connection && <Heading title={t('connections')} />}
      {error && <Problem error={error} retry={refetch} />}
      {!connection && !error && <Loading />}
      {connection && (
        <>
          <Heading title={connection.app.name} beside={<Maker app={connection.app} />} />
          <p className="lead">{sentence(connection)}</p>
          {connection.confirmation_requested_at && (
            <Unconfirmed
              company={company}
              connection={connection}
              may_confirm={rights?.has('confirmConnection') ?? false}
            />
          )}
          <section className="panel" aria-labelledby="may">
            <h2 id="may">{t('connection.may')}</h2>
            <ScopeList names={connection.scopes} installed={connection.kind === 'installation'} />
          </section>
          <Facts company={company} connection={connection} />
          {rights?.has('endConnection') && <End company={company} connection={connection} />}
        </>
      )}
    </>
  );
}

function sentence({ kind, role, allowed_by }: Connection): string {
  const name = allowed_by.name ?? t('connection.somebody-gone');
  return kind === 'installation'
    ? t('connection.is-installation', { name, role: named('role', role ?? '') })
    : t('connection.is-person', { name });
}

function Facts({ company, connection }: { company: string; connection: Connection }) {
  const { app, allowed_by, created_at, expires_at, last_used_at, last_ip } = connection;
  const used = last_used_at && [moment(last_used_at), last_ip].filter(Boolean).join(' · ');
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 id="facts">{t('connection.facts')}</h2>
      <dl className="facts">
        <Fact name={t('connection.allowed-by')}>
          {allowed_by.collaborator_id ? (
            <Link to="/$company/people/$person" params={{ company, person: allowed_by.collaborator_id }}>
              {allowed_by.name}
            </Link>
          ) : (
            t('connection.somebody-gone')
          )}
        </Fact>
        <Fact name={t('connection.since')}>{moment(created_at)}</Fact>
        <Fact name={t('connection.until')}>{expires_at ? moment(expires_at) : t('connection.no-end')}</Fact>
        <Fact name={t('connection.used')}>{used ?? t('connection.unused')}</Fact>
        <Fact name={t('connection.website')}>
          {app.website ? (
            <a href={app.website} rel="noreferrer">
              {app.website}
            </a>
          ) : (
            '–'
          )}
        </Fact>
        <Fact name={t('app.client-id')}>
          <code>{app.client_id}</code>
        </Fact>
      </dl>
      <p className="row">
        <Link to="/$company/connections" params={{ company }} search={{ client_id: app.client_id }}>
          {t('connection.all-of', { name: app.name })}
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
  const navigate = useNavigate();
  const { data: who } = useSuspenseQuery(whoQuery);
  return (
    <EndPanel
      title={t('connection.end')}
      more={t('connection.end.more')}
      act={t('connection.end.act')}
      question={t('connection.end.of', { name: connection.app.name })}
      about={consequence(connection, who.id)}
      end={async () => {
        await endConnection(company, connection.id);
        queries.removeQueries({ queryKey: [company, 'connections', 'list'] });
        await navigate({ to: '/$company/connections', params: { company } });
        queries.removeQueries({ queryKey: [company, 'connections', 'one', connection.id] });
        await queries.invalidateQueries({ queryKey: [company, 'connections'] });
      }}
    />
  );
}

/** What will happen. */
function consequence({ app, kind, allowed_by }: Connection, own_user_id: string): string {
  if (app.client_id === own_client_id) {
    return allowed_by.user_id === own_user_id ? t('connection.end.own-console') : t('connection.end.console');
  }
  return kind === 'installation'
    ? t('connection.end.installation', { name: app.name })
    : t('connection.end.person', { name: app.name, who: allowed_by.name ?? t('connection.somebody-gone') });
}
