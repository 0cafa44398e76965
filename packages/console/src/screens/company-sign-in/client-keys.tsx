/** Keys that a connection authenticates with, and the URL from which the provider reads them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createKey, type SignInConnection } from '../../api/sign-in-connections.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { moment } from '../../parts/format.ts';
import { t } from '../../parts/translate.ts';

export function ClientKeys({ company, connection }: { company: string; connection: SignInConnection }) {
  const { client_keys: keys, jwks_uri: jwksUri } = connection;
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createKey(company, connection.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'sign-in-connections'] }),
  });
  if (!jwksUri) return null;
  return (
    <section className="panel" aria-labelledby="keys">
      <h2 id="keys">{t`Keys`}</h2>
      <p className="quiet">
        {t`With a key, the connection needs no client secret. A new key is published now and signs in 24 hours, so that the provider knows it by then. The first one signs at once.`}
      </p>
      {keys.length > 0 && <CodeBlock title={t`JWKS URL`} text={jwksUri} />}
      <ul className="quiet">
        {keys.map(({ id, signs_from: signsFrom, expires_at: expiresAt }) => (
          <li key={id}>
            {expiresAt
              ? t`Key ${id}: published until ${moment(expiresAt)}`
              : t`Key ${id}: signs from ${moment(signsFrom)}`}
          </li>
        ))}
      </ul>
      {error && <Problem error={error} />}
      <Button busy={isPending} onClick={() => mutate()}>
        {t`Create a key`}
      </Button>
    </section>
  );
}
