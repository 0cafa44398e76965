/** Creates a sign-in connection from the provider's values; the next screen shows the values for the provider. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { createConnection } from '../../api/sign-in-connections.ts';
import { rightsQuery } from '../../api/who.ts';
import { Forbidden } from '../../parts/forbidden.tsx';
import { Heading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/words.ts';
import { type ConnectionFields, ConnectionForm, domainsOf } from './connection-form.tsx';

const empty: ConnectionFields = {
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  sign_in: 'any',
  trusts_provider: false,
  domains: '',
};

export function NewSignInConnection() {
  useLanguage();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(rightsQuery(company));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: ConnectionFields) => createConnection(company, { ...fields, domains: domainsOf(fields) }),
    async onSuccess({ id }) {
      await queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] });
      await navigate({
        to: '/$company/sign-in/$connection',
        params: { company, connection: id },
        ignoreBlocker: true,
      });
    },
  });
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/sign-in" params={{ company }}>
          {t`Sign-in`}
        </Link>
      </nav>
      <Heading title={t`Connect a provider`} />
      {rights?.has('createSignInConnection') ? (
        <>
          <p className="lead">{t`Create an OpenID Connect web application in your provider, and enter its values here. Nobody can sign in with it until you enable it.`}</p>
          <ConnectionForm
            known={empty}
            isNew
            act={t`Connect`}
            busy={isPending}
            error={error}
            onSubmit={(fields) => mutate(fields)}
          />
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}
