/** Creates an app, then shows its secret once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { type AppWithSecret, createApp } from '../../api/apps.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { SecretOnce } from '../../parts/secrets/secret-once.tsx';
import { Heading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { type AppFields, newApp, sentOf } from './app-fields.ts';
import { AppForm } from './app-form.tsx';

export function NewApp() {
  useLanguage();
  const queries = useQueryClient();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const form = useForm<AppFields>({ defaultValues: newApp });
  const {
    mutate,
    data: created,
    isPending,
    error,
  } = useMutation({
    mutationFn: (fields: AppFields) => createApp(company, { ...sentOf(fields), kind: fields.kind }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'apps'] }),
  });
  if (created) return <AppCreated company={company} app={created} />;
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/apps" params={{ company }}>
          {t`Apps`}
        </Link>
      </nav>
      <Heading title={t`Register an app`} />
      {rights?.has('createApp') ? (
        <AppForm
          form={form}
          isNew
          actionLabel={t`Register the app`}
          busy={isPending}
          error={error}
          onSubmit={(fields) => mutate(fields)}
        />
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function AppCreated({ company, app }: { company: string; app: AppWithSecret }) {
  const params = { company, app: app.id };
  return (
    <>
      <Heading title={t`${app.name} is registered`} />
      <CodeBlock title={t`Client ID`} text={app.client_id} />
      {app.client_secret ? (
        <SecretOnce secret={app.client_secret} />
      ) : (
        <p>{t`A public app has no secret. It uses PKCE to prove that it started the sign-in.`}</p>
      )}
      <p className="row">
        <Link className="button primary" to="/$company/apps/$app/try" params={params}>
          {t`Try it`}
        </Link>
        <Link className="button" to="/$company/apps/$app" params={params}>
          {t`Open the app`}
        </Link>
      </p>
    </>
  );
}
