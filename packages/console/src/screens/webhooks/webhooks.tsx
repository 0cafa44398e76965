/** The company's webhook endpoints. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Empty, Heading, Loading, Since } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { WebhookBadge } from './deliveries/status-badge.tsx';

export function Webhooks() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('listWebhooks') ?? false;
  const { data, error, refetch } = useQuery({ ...webhooksQuery(company), enabled: may });
  return (
    <>
      <Heading
        title={t`Webhooks`}
        aside={
          rights?.has('createWebhook') && (
            <Link to="/$company/webhooks/new" params={{ company }} className="button primary">
              {t`Add an endpoint`}
            </Link>
          )
        }
      />
      <p className="lead">{t`The endpoints that receive the company's events, and how deliveries are going.`}</p>
      {may ? (
        <>
          {error && <Problem error={error} retry={refetch} />}
          {!data && !error && <Loading />}
          {data && (data.length === 0 ? <NoWebhooks /> : <List company={company} webhooks={data} />)}
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function NoWebhooks() {
  return (
    <Empty title={t`No webhook endpoints yet`}>
      <p>{t`An endpoint is a URL of yours that receives the company's events as they happen.`}</p>
      <a className="button" href={`${docsUrl}/guides/webhooks`}>
        {t`Read the guide`}
      </a>
    </Empty>
  );
}

function List({ company, webhooks }: { company: string; webhooks: Webhook[] }) {
  return (
    <ul className="cards">
      {webhooks.map((webhook) => (
        <li key={webhook.id} className="card">
          <div className="row spread">
            <Link to="/$company/webhooks/$webhook" params={{ company, webhook: webhook.id }} className="card-link">
              {webhook.url}
            </Link>
            <WebhookBadge webhook={webhook} />
          </div>
          {webhook.description && <p>{webhook.description}</p>}
          <p className="quiet row">
            <span>{webhook.events.join(', ')}</span>
            <span>
              {webhook.last_delivery_at ? (
                <>
                  {t`Last sent`} <Since at={webhook.last_delivery_at} />
                </>
              ) : (
                t`Nothing sent yet`
              )}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
