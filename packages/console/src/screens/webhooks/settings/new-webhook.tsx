/** Creates an endpoint, then shows its secret once. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { oneLine } from '../../../../../../src/contract/texts/one-line.ts';
import { permissionsQuery } from '../../../api/client/session.ts';
import { createWebhook } from '../../../api/webhooks.ts';
import { Forbidden } from '../../../parts/frame/forbidden.tsx';
import { SecretOnce } from '../../../parts/secrets/secret-once.tsx';
import { Heading } from '../../../parts/small.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { rememberSecret } from './known-secrets.ts';
import { rateOf } from './webhook-fields.ts';
import { WebhookForm } from './webhook-form.tsx';

export function NewWebhook() {
  useLanguage();
  const queries = useQueryClient();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const {
    mutate,
    data: created,
    isPending,
    error,
  } = useMutation({
    mutationFn: (body: Parameters<typeof createWebhook>[1]) => createWebhook(company, body),
    onSuccess: async ({ id, secret }) => {
      rememberSecret(id, secret);
      await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
    },
  });
  if (created) {
    return (
      <>
        <Heading title={t`Endpoint added`} />
        <p className="url">{created.url}</p>
        <SecretOnce secret={created.secret} />
        <p className="row">
          <Link
            className="button primary"
            to="/$company/webhooks/$webhook/verify"
            params={{ company, webhook: created.id }}
          >
            {t`Verify its requests`}
          </Link>
          <Link className="button" to="/$company/webhooks/$webhook" params={{ company, webhook: created.id }}>
            {t`See its deliveries`}
          </Link>
        </p>
      </>
    );
  }
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/webhooks" params={{ company }}>
          {t`Webhooks`}
        </Link>
      </nav>
      <Heading title={t`Add an endpoint`} />
      {rights?.has('createWebhook') ? (
        <WebhookForm
          company={company}
          actionLabel={t`Add the endpoint`}
          busy={isPending}
          error={error}
          onSubmit={({
            url,
            description,
            payload_format: payloadFormat,
            events,
            headers,
            max_per_second: maxPerSecond,
          }) =>
            mutate({
              url: url.trim(),
              description: oneLine(description) || null,
              payload_format: payloadFormat,
              max_per_second: rateOf({ max_per_second: maxPerSecond }),
              events,
              headers: Object.fromEntries(headers.filter(({ name }) => name).map(({ name, value }) => [name, value])),
            })
          }
        />
      ) : (
        <Forbidden />
      )}
    </>
  );
}
