/** An installation that admins are asked about: why, and the way to have it go on. Its end is a panel of its own. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Connection, confirmConnection } from '../../api/connections.ts';
import { whoQuery } from '../../api/who.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';

interface UnconfirmedProps {
  company: string;
  connection: Connection;
  may_confirm: boolean;
}

export function Unconfirmed({ company, connection, may_confirm }: UnconfirmedProps) {
  const queries = useQueryClient();
  const { data: who } = useSuspenseQuery(whoQuery);
  const { allowed_by, suspended_at } = connection;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => confirmConnection(company, connection.id),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [company, 'connections'] }),
        queries.invalidateQueries({ queryKey: [company, 'webhooks'] }),
      ]),
  });
  const name = allowed_by.name ?? t`someone who has left`;
  // One that is suspended takes another admin.
  const is_own = suspended_at !== null && allowed_by.user_id === who.id;
  return (
    <section className="panel" aria-labelledby="unconfirmed">
      <h2 id="unconfirmed">
        {t`Waiting for confirmation`} {suspended_at && <Badge tone="bad">{t`suspended`}</Badge>}
      </h2>
      <p>
        {suspended_at
          ? t`${name} installed the app and has a lower role now. Its requests are refused and its webhooks are off until another admin confirms it.`
          : t`${name} installed the app, and was demoted or has left. It still acts for the company. Confirm it, or end it below.`}
      </p>
      {is_own && <p className="quiet">{t`You installed it: another admin has to confirm it.`}</p>}
      {error && <Problem error={error} />}
      {may_confirm && !is_own && (
        <Button kind="primary" busy={isPending} onClick={() => mutate()}>
          {t`Confirm the app`}
        </Button>
      )}
    </section>
  );
}
