import { Link } from '@tanstack/react-router';
import type { Delivery } from '../../api/webhooks.ts';
import { duration } from '../../parts/format.ts';
import { type Column, LongTable } from '../../parts/long-table.tsx';
import { Since, Time } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';
import { DeliveryBadge, Outcome } from './status-badge.tsx';

interface TableProps {
  company: string;
  webhook: string;
  deliveries: readonly Delivery[];
  onEnd(): void;
}

export function DeliveryTable({ company, webhook, deliveries, onEnd }: TableProps) {
  return (
    <LongTable
      labelled_by="deliveries"
      rows={deliveries}
      columns={columnsOf(company, webhook)}
      keyOf={({ id }) => id}
      onEnd={onEnd}
    />
  );
}

function columnsOf(company: string, webhook: string): Column<Delivery>[] {
  return [
    { name: 'status', title: t`Status`, cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
    {
      name: 'event',
      title: t`Event`,
      is_name: true,
      cell: ({ id, event }) => (
        <Link
          to="/$company/webhooks/$webhook/deliveries/$delivery"
          params={{ company, webhook, delivery: id }}
          className="row-link"
        >
          {event}
        </Link>
      ),
    },
    { name: 'time', title: t`Time`, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      name: 'answer',
      title: t`Response`,
      says_name: true,
      cell: (delivery) => <Answer delivery={delivery} />,
    },
    {
      name: 'duration',
      title: t`Duration`,
      is_figure: true,
      says_name: true,
      cell: ({ last_duration_ms }) => (last_duration_ms === null ? '–' : duration(last_duration_ms)),
    },
    {
      name: 'attempts',
      title: t`Attempts`,
      is_figure: true,
      says_name: true,
      cell: ({ attempt_count }) => attempt_count,
    },
  ];
}

function Answer({ delivery }: { delivery: Delivery }) {
  const { status, attempt_count, next_attempt_at, last_status_code, last_error_class } = delivery;
  return (
    <>
      <Outcome code={last_status_code} reason={last_error_class} />
      {status === 'pending' && attempt_count > 0 && next_attempt_at && (
        <span className="quiet">
          {' · '}
          {t`resent`} <Since at={next_attempt_at} />
        </span>
      )}
    </>
  );
}
