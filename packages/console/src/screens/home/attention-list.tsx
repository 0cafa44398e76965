/** Items that need attention, most urgent first, limited to what the reader may act on. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  expiringQuery,
  failedImportsQuery,
  type Snooze,
  type SnoozeKind,
  signInSummaryQuery,
  snoozedUntil,
  snoozesQuery,
  webhooksToFix,
} from '../../api/attention.ts';
import type { Schemas } from '../../api/client/client.ts';
import type { Permissions } from '../../api/client/session.ts';
import { unconfirmedQuery } from '../../api/connections.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { Loading } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';
import { AdminsCard, CertificateCard, ImportCard, InstallationCard, InvitationCard, WebhookCard } from './cards.tsx';
import { SnoozeButton, Snoozed } from './snooze.tsx';

export function AttentionList({ company, rights }: { company: string; rights: Permissions }) {
  const webhooks = useQuery({ ...webhooksQuery(company), enabled: rights.has('listWebhooks') });
  const imports = useQuery({ ...failedImportsQuery(company), enabled: rights.has('listImports') });
  const invitations = useQuery({ ...expiringQuery(company), enabled: rights.has('listInvitations') });
  const signIn = useQuery({ ...signInSummaryQuery(company), enabled: rights.has('getSignInSummary') });
  const apps = useQuery({ ...unconfirmedQuery(company), enabled: rights.has('confirmConnection') });
  const items: Item[] = [
    ...(apps.data ?? []).map(
      (each): Item => ({
        kind: 'installation_unconfirmed',
        id: each.id,
        name: each.app.name,
        card: (action) => <InstallationCard key={each.id} company={company} installation={each} action={action} />,
      }),
    ),
    ...webhooksToFix(webhooks.data ?? []).map(
      ({ kind, webhook }): Item => ({
        kind,
        id: webhook.id,
        name: webhook.url,
        card: (action) => <WebhookCard key={webhook.id} company={company} webhook={webhook} action={action} />,
      }),
    ),
    ...(imports.data ?? []).map(
      (each): Item => ({
        kind: 'import_failed',
        id: each.id,
        name: each.filename,
        card: (action) => <ImportCard key={each.id} company={company} failed={each} action={action} />,
      }),
    ),
    ...(invitations.data?.invitations ?? []).map(
      (each): Item => ({
        kind: 'invitation_expiring',
        id: each.collaborator_id,
        name: each.name,
        card: (action) => (
          <InvitationCard key={each.collaborator_id} company={company} invitation={each} action={action} />
        ),
      }),
    ),
    ...(signIn.data?.expiring_certificates ?? []).map(
      (each): Item => ({
        kind: 'certificate_expiring',
        id: each.connection_id,
        name: each.connection_name,
        card: (action) => (
          <CertificateCard key={each.connection_id} company={company} certificate={each} action={action} />
        ),
      }),
    ),
    ...(signIn.data && signIn.data.admins.without_second_factor > 0 ? [adminsItem(signIn.data.admins)] : []),
  ];
  const maySnooze = rights.has('setSnooze');
  const snoozes = useQuery({ ...snoozesQuery(company), enabled: maySnooze && items.length > 0 });
  const parts = [webhooks, imports, invitations, signIn, apps, snoozes].filter(
    ({ isPending, isFetching }) => !isPending || isFetching,
  );
  if (parts.length === 0) return null; // an employee
  const failed = parts.find(({ error }) => error);
  const isKnown = parts.every(({ isPending }) => !isPending);
  const [visible, snoozed] = partition(items, snoozes.data ?? []);
  const cards = visible.map(({ kind, id, name, card }) =>
    card(maySnooze && <SnoozeButton company={company} kind={kind} id={id} name={name} />),
  );
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{t`Needs attention`}</h2>
      {failed?.error && <Problem error={failed.error} retry={failed.refetch} />}
      {!isKnown && !failed && <Loading />}
      {isKnown && !failed && cards.length === 0 && <p className="calm">{t`You're all caught up.`}</p>}
      {!(maySnooze && snoozes.isPending) && cards.length > 0 && <ul className="cards">{cards}</ul>}
      {snoozed.length > 0 && <Snoozed company={company} items={snoozed} />}
      {invitations.data?.hasMore && (
        <p className="quiet">{t`More invitations expire in the next three days. Filter people by the status “pending” to see them.`}</p>
      )}
    </section>
  );
}

interface Item {
  kind: SnoozeKind;
  id: string;
  name: string;
  card(action: ReactNode): ReactNode;
}

function adminsItem(admins: Schemas['SignInCounts']): Item {
  return {
    kind: 'admins_without_second_factor',
    id: 'admins',
    name: t`Admin sign-in`,
    card: (action) => <AdminsCard key="admins" admins={admins} action={action} />,
  };
}

/** @returns visible items, and snoozed ones with the end of their snooze */
function partition(items: readonly Item[], snoozes: readonly Snooze[]): [Item[], (Item & { until: string })[]] {
  const untilOf = ({ kind, id }: Item) => snoozedUntil(snoozes, kind, id);
  return [
    items.filter((item) => untilOf(item) === undefined),
    items.flatMap((item) => {
      const until = untilOf(item);
      return until === undefined ? [] : [{ ...item, until }];
    }),
  ];
}
