import { Link } from '@tanstack/react-router';
import type { Delivery } from '../../../api/webhooks.ts';
import { duration } from '../../../parts/format.ts';
import { type Column, LongTable } from '../../../parts/lists/long-table.tsx';
import { Since, Time } from '../../../parts/small.tsx';
import { t } from '../../../parts/translate.ts';
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
      labelledBy="deliveries"
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
      isName: true,
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
    { name: 'time', title: t`Time`, cell: ({ created_at: createdAt }) => <Time at={createdAt} /> },
    {
      name: 'answer',
      title: t`Response`,
      hasLabel: true,
      cell: (delivery) => <DeliveryResponse delivery={delivery} />,
    },
    {
      name: 'duration',
      title: t`Duration`,
      isFigure: true,
      hasLabel: true,
      cell: ({ last_duration_ms: lastDurationMs }) => (lastDurationMs === null ? '–' : duration(lastDurationMs)),
    },
    {
      name: 'attempts',
      title: t`Attempts`,
      isFigure: true,
      hasLabel: true,
      cell: ({ attempt_count: attemptCount }) => attemptCount,
    },
  ];
}

function DeliveryResponse({ delivery }: { delivery: Delivery }) {
  const {
    status,
    attempt_count: attemptCount,
    next_attempt_at: nextAttemptAt,
    last_status_code: lastStatusCode,
    last_error_class: lastErrorClass,
  } = delivery;
  return (
    <>
      <Outcome code={lastStatusCode} reason={lastErrorClass} />
      {status === 'pending' && attemptCount > 0 && nextAttemptAt && (
        <span className="quiet">
          {' · '}
          {t`resent`} <Since at={nextAttemptAt} />
        </span>
      )}
    </>
  );
}
