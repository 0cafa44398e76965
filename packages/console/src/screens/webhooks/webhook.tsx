/** One endpoint: status, then deliveries. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { webhookQuery } from '../../api/webhooks.ts';
import { Address } from '../../parts/address.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { Deactivated } from './deactivated.tsx';
import { WebhookBadge } from './deliveries/status-badge.tsx';
import { Figures } from './figures.tsx';

export function WebhookScreen() {
  useLanguage();
  const { company, webhook: id } = useParams({ from: '/$company/webhooks/$webhook' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('getWebhook') ?? false;
  const { data: webhook, error, refetch } = useQuery({ ...webhookQuery(company, id), enabled: may });
  if (!may) {
    return (
      <>
        <Heading title={t`Webhooks`} />
        <Forbidden />
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
      {error && !webhook && <Heading title={t`Webhooks`} />}
      {error && <Problem error={error} retry={refetch} />}
      {!webhook && !error && <Loading />}
      {webhook && (
        <>
          <Heading title={webhook.url} aside={<WebhookBadge webhook={webhook} />}>
            <Address url={webhook.url} />
          </Heading>
          {webhook.description && <p className="lead">{webhook.description}</p>}
          <p className="quiet">{webhook.events.join(', ')}</p>
          {webhook.status === 'deactivated' && <Deactivated company={company} webhook={webhook} />}
          <Figures company={company} webhook={id} />
          <Tabs company={company} webhook={id} />
          <Outlet />
        </>
      )}
    </>
  );
}

function Tabs({ company, webhook }: { company: string; webhook: string }) {
  const params = { company, webhook };
  return (
    <nav className="tabs" aria-label={t`Endpoint sections`}>
      <Link to="/$company/webhooks/$webhook" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        {t`Deliveries`}
      </Link>
      <Link to="/$company/webhooks/$webhook/settings" params={params}>
        {t`Settings`}
      </Link>
      <Link to="/$company/webhooks/$webhook/verify" params={params}>
        {t`Verify`}
      </Link>
    </nav>
  );
}
