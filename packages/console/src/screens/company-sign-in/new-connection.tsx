/** Creates a sign-in connection from the provider's values; the next screen shows the values for the provider. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { createConnection } from '../../api/sign-in-connections.ts';
import { useLeave } from '../../parts/fields/unsaved.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Heading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { ConnectionForm, domainsOf } from './connection-form.tsx';
import type { ConnectionFields } from './fields.ts';
import { policiesOf } from './policy-fields.tsx';
import { samlOf } from './saml-fields.tsx';

export function NewSignInConnection() {
  useLanguage();
  const queries = useQueryClient();
  const leave = useLeave();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({
      issuer,
      client_id,
      client_secret,
      client_authentication,
      saml,
      sign_in_by_role,
      ...fields
    }: ConnectionFields) => {
      const credential = client_authentication === 'client_secret' ? { client_secret } : { client_authentication };
      const provider = fields.kind === 'saml' ? { saml: samlOf(saml) } : { issuer, client_id, ...credential };
      return createConnection(company, {
        ...fields,
        ...provider,
        sign_in_by_role: policiesOf(sign_in_by_role),
        domains: domainsOf(fields),
      });
    },
    async onSuccess({ id }) {
      await queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] });
      await leave({
        to: '/$company/sign-in/$connection',
        params: { company, connection: id },
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
          <p className="lead">{t`Create an application for OpenID Connect or SAML in your provider, and enter its values here. Nobody can sign in with it until you enable it.`}</p>
          <ConnectionForm
            actionLabel={t`Connect`}
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
