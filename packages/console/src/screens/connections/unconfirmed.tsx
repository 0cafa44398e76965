/** An installation that waits for confirmation: why, and the button to confirm it. A separate panel revokes it. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/client/session.ts';
import { type Connection, confirmConnection } from '../../api/connections.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

interface UnconfirmedProps {
  company: string;
  connection: Connection;
  canConfirm: boolean;
}

export function Unconfirmed({ company, connection, canConfirm }: UnconfirmedProps) {
  const queries = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { allowed_by: allowedBy, suspended_at: suspendedAt } = connection;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => confirmConnection(company, connection.id),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [company, 'connections'] }),
        queries.invalidateQueries({ queryKey: [company, 'webhooks'] }),
      ]),
  });
  const name = allowedBy.name ?? t`someone who has left`;
  // A suspended installation needs another admin.
  const isOwn = suspendedAt !== null && allowedBy.user_id === session.id;
  return (
    <section className="panel" aria-labelledby="unconfirmed">
      <h2 id="unconfirmed">
        {t`Waiting for confirmation`} {suspendedAt && <Badge tone="bad">{t`suspended`}</Badge>}
      </h2>
      <p>
        {suspendedAt
          ? t`${name} installed the app and has a lower role now. Its requests are refused and its webhooks are off until another admin confirms it.`
          : t`${name} installed the app, and was demoted or has left. It still acts for the company. Confirm it, or end it below.`}
      </p>
      {isOwn && <p className="quiet">{t`You installed it: another admin has to confirm it.`}</p>}
      {error && <Problem error={error} />}
      {canConfirm && !isOwn && (
        <Button kind="primary" busy={isPending} onClick={() => mutate()}>
          {t`Confirm the app`}
        </Button>
      )}
    </section>
  );
}
