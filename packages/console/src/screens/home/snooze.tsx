/** Snoozes items for all admins, and lists snoozed items with a button to show them again. The menu is in snooze-menu.tsx. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SnoozeKind, setSnooze, snoozesQuery } from '../../api/attention.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/small.tsx';
import { toast } from '../../parts/toasts.tsx';
import { t, tn } from '../../parts/translate.ts';

export interface Snoozable {
  kind: SnoozeKind;
  id: string;
  name: string;
}

export function useSnooze(company: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, id, days }: Snoozable & { days: number | null }) => setSnooze(company, kind, id, days),
    onSuccess: async (_, { name, days }) => {
      await queries.invalidateQueries({ queryKey: snoozesQuery(company).queryKey });
      if (days === null) toast(t`“${name}” is shown again`);
      else toast(tn(days, t`“${name}” snoozed for ${days} day`, t`“${name}” snoozed for ${days} days`));
    },
  });
}

export function Snoozed({ company, items }: { company: string; items: readonly (Snoozable & { until: string })[] }) {
  const { mutate, isPending, error } = useSnooze(company);
  return (
    <details className="snoozed">
      <summary>{tn(items.length, t`${items.length} snoozed item`, t`${items.length} snoozed items`)}</summary>
      {error ? <Problem error={error} /> : null}
      <ul>
        {items.map(({ kind, id, name, until }) => (
          <li key={`${kind} ${id}`} className="row spread">
            <span className="snoozed-name">
              {name}{' '}
              <span className="quiet">
                {t`until`} <Time at={until} />
              </span>
            </span>
            <Button busy={isPending} onClick={() => mutate({ kind, id, name, days: null })}>
              {t`Show again`}
              <span className="unseen"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
