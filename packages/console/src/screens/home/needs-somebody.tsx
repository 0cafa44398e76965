/** Items that need attention, most urgent first, limited to what the reader may act on. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expiringQuery, failedImportsQuery, signInSummaryQuery } from '../../api/attention.ts';
import { unconfirmedQuery } from '../../api/connections.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import type { Rights } from '../../api/who.ts';
import { Problem } from '../../parts/problem.tsx';
import { Loading } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';
import { AdminsCard, ImportCard, InstallationCard, InvitationCard, WebhookCard } from './cards.tsx';

/** Deactivated on purpose, or already covered by the app's card. */
const knownReasons = ['manual', 'installation_suspended'];

export function NeedsSomebody({ company, rights }: { company: string; rights: Rights }) {
  const webhooks = useQuery({ ...webhooksQuery(company), enabled: rights.has('listWebhooks') });
  const imports = useQuery({ ...failedImportsQuery(company), enabled: rights.has('listImports') });
  const invitations = useQuery({ ...expiringQuery(company), enabled: rights.has('listInvitations') });
  const signIn = useQuery({ ...signInSummaryQuery(company), enabled: rights.has('getSignInSummary') });
  const apps = useQuery({ ...unconfirmedQuery(company), enabled: rights.has('confirmConnection') });
  const parts = [webhooks, imports, invitations, signIn, apps].filter(
    ({ isPending, isFetching }) => !isPending || isFetching,
  );
  if (parts.length === 0) return null; // an employee
  const failed = parts.find(({ error }) => error);
  const isKnown = parts.every(({ isPending }) => !isPending);
  const cards: ReactNode[] = [
    ...(apps.data ?? []).map((each) => <InstallationCard key={each.id} company={company} installation={each} />),
    ...(webhooks.data ?? [])
      .filter(({ status, deactivation_reason: why }) => status === 'deactivated' && !knownReasons.includes(why ?? ''))
      .map((webhook) => <WebhookCard key={webhook.id} company={company} webhook={webhook} />),
    ...(webhooks.data ?? [])
      .filter(({ status, consecutive_failures: consecutiveFailures }) => status === 'active' && consecutiveFailures > 0)
      .map((webhook) => <WebhookCard key={webhook.id} company={company} webhook={webhook} />),
    ...(imports.data ?? []).map((each) => <ImportCard key={each.id} company={company} failed={each} />),
    ...(invitations.data?.invitations ?? []).map((invitation) => (
      <InvitationCard key={invitation.collaborator_id} company={company} invitation={invitation} />
    )),
    ...(signIn.data && signIn.data.admins.without_second_factor > 0
      ? [<AdminsCard key="admins" admins={signIn.data.admins} />]
      : []),
  ];
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{t`Needs attention`}</h2>
      {failed?.error && <Problem error={failed.error} retry={failed.refetch} />}
      {!isKnown && !failed && <Loading />}
      {isKnown && !failed && cards.length === 0 && <p className="calm">{t`You're all caught up.`}</p>}
      {cards.length > 0 && <ul className="cards">{cards}</ul>}
      {invitations.data?.hasMore && (
        <p className="quiet">{t`More invitations expire in the next three days. Filter people by the status “pending” to see them.`}</p>
      )}
    </section>
  );
}
