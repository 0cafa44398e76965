/** One sign-in connection: setup, settings, and deletion. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import {
  changeConnection,
  connectionQuery,
  isExpiring,
  readConnection,
  removeConnection,
  type SignInConnection,
  type SignInConnectionChange,
} from '../../api/sign-in-connections.ts';
import { DangerPanel } from '../../parts/danger-panel.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { changedOf } from '../../parts/fields/changed.ts';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { day } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Badge, Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { ClientKeys } from './client-keys.tsx';
import { ConnectionForm, domainsOf, fieldsOf } from './connection-form.tsx';
import { State } from './connections.tsx';
import type { ConnectionFields } from './fields.ts';
import { policiesOf } from './policy-fields.tsx';
import { samlChangeOf } from './saml-fields.tsx';
import { SetUp } from './set-up.tsx';

export function SignInConnectionScreen() {
  useLanguage();
  const { company, connection: id } = useParams({ from: '/$company/sign-in/$connection' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('getSignInConnection') ?? false;
  const { data, error, refetch } = useQuery({ ...connectionQuery(company, id), enabled: may });
  if (!may) {
    return (
      <>
        <Heading title={t`Sign-in`} />
        <Forbidden />
      </>
    );
  }
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/sign-in" params={{ company }}>
          {t`Sign-in`}
        </Link>
      </nav>
      {error && !data && <Heading title={t`Sign-in`} />}
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Heading title={data.name} aside={<State connection={data} />} />
          {isExpiring(data) && (
            <p>
              <Badge tone="waiting">{t`Certificate`}</Badge>{' '}
              {t`The last certificate of the provider expires soon, or has expired. Enter the next one in the settings before the provider signs with it.`}
            </p>
          )}
          <SetUp company={company} connection={data} />
          <Settings company={company} connection={data} />
          <ClientKeys company={company} connection={data} />
          <Remove company={company} connection={data} />
        </>
      )}
    </>
  );
}

interface OfConnection {
  company: string;
  connection: SignInConnection;
}

function Settings({ company, connection }: OfConnection) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ domains, ...change }: ConnectionChange) => {
      if (!domains) return changeConnection(company, connection.id, change);
      // Another admin may have changed other domains.
      const { connection: newest, etag } = await readConnection(company, connection.id);
      const kept = newest.domains.map(({ domain }) => domain).filter((each) => !domains.removed.includes(each));
      const all = [...new Set([...kept, ...domains.added])];
      return changeConnection(company, connection.id, { ...change, domains: all }, etag);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] }),
  });
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{t`Settings`}</h2>
      <p className="quiet">{connection.issuer}</p>
      {connection.saml && <Certificates saml={connection.saml} />}
      <ConnectionForm
        connection={connection}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onSubmit={(fields, base = connection, onSaved) =>
          mutate(changeOf(fieldsOf(base), fields), { onSuccess: onSaved })
        }
      />
    </section>
  );
}

interface ConnectionChange extends Omit<SignInConnectionChange, 'domains'> {
  domains?: { added: string[]; removed: string[] };
}

/** Changed fields only. An empty secret keeps the current one; a connection with a key has none. */
function changeOf(before: ConnectionFields, fields: ConnectionFields): ConnectionChange {
  const { name, client_id, client_authentication, sign_in, trusts_provider } = changedOf(before, fields);
  const usesSecret = fields.client_authentication === 'client_secret' && fields.client_secret !== '';
  const saml = fields.kind === 'saml' ? samlChangeOf(before.saml, fields.saml) : {};
  const roles = changedOf(before.sign_in_by_role, fields.sign_in_by_role);
  const [known, listed] = [domainsOf(before), domainsOf(fields)];
  const added = listed.filter((each) => !known.includes(each));
  const removed = known.filter((each) => !listed.includes(each));
  return {
    ...(name !== undefined && { name }),
    ...(client_id !== undefined && { client_id }),
    ...(client_authentication && { client_authentication }),
    ...(usesSecret && { client_secret: fields.client_secret }),
    ...(sign_in && { sign_in }),
    ...(trusts_provider !== undefined && { trusts_provider }),
    ...(Object.keys(saml).length > 0 && { saml }),
    ...(Object.keys(roles).length > 0 && { sign_in_by_role: policiesOf(roles) }),
    ...(added.length + removed.length > 0 && { domains: { added, removed } }),
  };
}

function Certificates({ saml }: { saml: NonNullable<SignInConnection['saml']> }) {
  return (
    <ul className="quiet">
      {saml.certificates.map(({ fingerprint, expires_at: expiresAt }) => (
        <li key={fingerprint}>
          {t`Certificate ${fingerprint.slice(0, 16)}…, expires: ${day(expiresAt.slice(0, 10))}`}
        </li>
      ))}
      {saml.metadata_url && <li>{t`Metadata: ${saml.metadata_url}`}</li>}
    </ul>
  );
}

function Remove({ company, connection }: OfConnection) {
  const queries = useQueryClient();
  const leave = useLeave();
  return (
    <DangerPanel
      title={t`Disconnect`}
      description={t`Nobody can sign in with the provider anymore. Profiles stay as they are.`}
      actionLabel={t`Disconnect the provider`}
      about={t`Everybody who signed in with ${connection.name} is signed out now, and needs an invitation to get in again.`}
      perform={async () => {
        await removeConnection(company, connection.id);
        await leave({ to: '/$company/sign-in', params: { company } });
        queries.removeQueries({ queryKey: [company, 'sign-in-connections', connection.id] });
        await queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] });
      }}
    />
  );
}
