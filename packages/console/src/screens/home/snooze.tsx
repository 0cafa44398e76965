/** Snoozes items for all admins, and lists snoozed items with a button to show them again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AlarmClock } from 'lucide-react';
import { type SnoozeKind, setSnooze, snoozesQuery } from '../../api/attention.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { MenuButton } from '../../parts/menus/menu-button.tsx';
import { Time } from '../../parts/small.tsx';
import { toast } from '../../parts/toasts/toasts.tsx';
import { t, tn } from '../../parts/translate.ts';

interface Snoozable {
  kind: SnoozeKind;
  id: string;
  name: string;
}

function useSnooze(company: string) {
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

const loadMenu = async () => (await import('./snooze-menu.tsx')).SnoozeMenu;

export function SnoozeButton({ company, ...item }: Snoozable & { company: string }) {
  const { mutate, isPending, error } = useSnooze(company);
  return (
    <>
      <MenuButton
        load={loadMenu}
        className="button quiet snooze"
        disabled={isPending}
        items={{ snooze: (days: number) => mutate({ ...item, days }) }}
      >
        <AlarmClock aria-hidden size={16} />
        {t`Snooze`}
        <span className="unseen"> {item.name}</span>
      </MenuButton>
      {error ? <Problem error={error} /> : null}
    </>
  );
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
