/** Home screen: items that need attention, headcount, delivery health, and the reader's own record and team. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { roleNames } from '../../parts/names.ts';
import { Heading } from '../../parts/small.tsx';
import { named, t, useLanguage } from '../../parts/translate.ts';
import { AttentionList } from './attention-list.tsx';
import { Deliveries } from './deliveries.tsx';
import { Headcount } from './headcount.tsx';
import { Own } from './own.tsx';

export function Home() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: rights } = useQuery(permissionsQuery(company));
  const { data: webhooks } = useQuery({ ...webhooksQuery(company), enabled: rights?.has('listWebhooks') ?? false });
  const membership = session.companies.find(({ id }) => id === company)!;
  return (
    <>
      <Heading title={membership.name} />
      <p className="lead">{t`You are signed in as ${session.name}, ${named(roleNames, membership.role)}.`}</p>
      {rights && <AttentionList company={company} rights={rights} />}
      {membership.role !== 'employee' && rights?.has('getHeadcount') && <Headcount company={company} />}
      {rights?.has('getDeliveryCounts') && webhooks && (
        <Deliveries company={company} hasEndpoints={webhooks.length > 0} />
      )}
      {membership.collaborator_id && rights?.has('getCollaborator') && (
        <Own company={company} id={membership.collaborator_id} hasTeam={membership.role === 'manager'} />
      )}
      <p>
        <a href={docsUrl}>{t`API documentation`}</a>
      </p>
    </>
  );
}
