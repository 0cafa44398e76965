import { Link } from '@tanstack/react-router';
import type { Connection } from '../../api/connections.ts';
import { type Column, LongTable } from '../../parts/lists/long-table.tsx';
import { roleNames } from '../../parts/names.ts';
import { Badge, Since } from '../../parts/small.tsx';
import { named, t } from '../../parts/translate.ts';
import { ClientOwner } from './publisher.tsx';

interface TableProps {
  company: string;
  connections: readonly Connection[];
  onEnd(): void;
}

export function ConnectionTable({ company, connections, onEnd }: TableProps) {
  return (
    <LongTable
      labelledBy="connections"
      rows={connections}
      columns={columnsOf(company)}
      keyOf={({ id }) => id}
      onEnd={onEnd}
    />
  );
}

function columnsOf(company: string): Column<Connection>[] {
  return [
    {
      name: 'app',
      title: t`App`,
      isName: true,
      cell: ({ id, app }) => (
        <Link to="/$company/connections/$connection" params={{ company, connection: id }} className="row-link">
          {app.name}
        </Link>
      ),
    },
    { name: 'maker', title: t`Developer`, cell: ({ app }) => <ClientOwner app={app} /> },
    {
      name: 'allowed-by',
      title: t`Authorized by`,
      hasLabel: true,
      cell: ({
        allowed_by: allowedBy,
        kind,
        role,
        suspended_at: suspendedAt,
        confirmation_requested_at: confirmationRequestedAt,
      }) => (
        <>
          {allowedBy.name ?? t`someone who has left`}
          {kind === 'installation' && (
            <span className="quiet"> · {t`installed, as ${named(roleNames, role ?? '')}`}</span>
          )}
          {suspendedAt ? (
            <>
              {' '}
              <Badge tone="bad">{t`suspended`}</Badge>
            </>
          ) : (
            confirmationRequestedAt && (
              <>
                {' '}
                <Badge tone="waiting">{t`Waiting for confirmation`}</Badge>
              </>
            )
          )}
        </>
      ),
    },
    {
      name: 'since',
      title: t`Since`,
      hasLabel: true,
      cell: ({ created_at: createdAt }) => <Since at={createdAt} />,
    },
    {
      name: 'used',
      title: t`Last used`,
      hasLabel: true,
      cell: ({ last_used_at: lastUsedAt }) => (lastUsedAt ? <Since at={lastUsedAt} /> : t`not in the last 31 days`),
    },
  ];
}
