/** One sign-in connection: setup, settings, and deletion. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import {
  changeConnection,
  connectionQuery,
  isExpiring,
  removeConnection,
  type SignInConnection,
  type SignInConnectionChange,
} from '../../api/sign-in-connections.ts';
import { DangerPanel } from '../../parts/danger-panel.tsx';
import { day } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge, Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { ClientKeys } from './client-keys.tsx';
import { ConnectionForm, domainsOf } from './connection-form.tsx';
import { State } from './connections.tsx';
import type { ConnectionFields } from './fields.ts';
import { existingPolicies, policiesOf } from './policy-fields.tsx';
import { existingSaml, samlChangeOf } from './saml-fields.tsx';
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
    mutationFn: ({
      kind,
      issuer: _,
      client_id: clientId,
      client_secret: secret,
      client_authentication,
      saml,
      sign_in_by_role: policies,
      ...fields
    }: ConnectionFields) => {
      const byRole = policiesOf(policies);
      const change: SignInConnectionChange = { ...fields, sign_in_by_role: byRole, domains: domainsOf(fields) };
      const provider =
        kind === 'saml'
          ? { saml: samlChangeOf(saml) }
          : { client_id: clientId, client_authentication, ...secretOf(client_authentication, secret) };
      return changeConnection(company, connection.id, { ...change, ...provider });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] }),
  });
  const { name, issuer, client_id: clientId, sign_in, trusts_provider, domains } = connection;
  const known: ConnectionFields = {
    kind: connection.kind === 'saml' ? 'saml' : 'oidc',
    name,
    issuer,
    client_id: clientId ?? '',
    client_authentication: connection.client_authentication === 'private_key_jwt' ? 'private_key_jwt' : 'client_secret',
    client_secret: '',
    saml: existingSaml(connection),
    sign_in,
    sign_in_by_role: existingPolicies(connection),
    trusts_provider,
    domains: domains.map((each) => each.domain).join('\n'),
  };
  return (
    <section className="panel" aria-labelledby="settings">
      <h2 id="settings">{t`Settings`}</h2>
      <p className="quiet">{issuer}</p>
      {connection.saml && <Certificates saml={connection.saml} />}
      <ConnectionForm
        known={known}
        isNew={false}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
      />
    </section>
  );
}

/** An empty secret leaves the present one; with a key there is none. */
function secretOf(authentication: ConnectionFields['client_authentication'], secret: string) {
  return authentication === 'client_secret' && secret ? { client_secret: secret } : {};
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
  const navigate = useNavigate();
  return (
    <DangerPanel
      title={t`Disconnect`}
      description={t`Nobody can sign in with the provider anymore. Profiles stay as they are.`}
      actionLabel={t`Disconnect the provider`}
      about={t`Everybody who signed in with ${connection.name} is signed out now, and needs an invitation to get in again.`}
      perform={async () => {
        await removeConnection(company, connection.id);
        await navigate({ to: '/$company/sign-in', params: { company } });
        queries.removeQueries({ queryKey: [company, 'sign-in-connections', connection.id] });
        await queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] });
      }}
    />
  );
}
