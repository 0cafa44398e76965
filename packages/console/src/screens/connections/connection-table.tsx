import { Link } from '@tanstack/react-router';
import type { Connection } from '../../api/connections.ts';
import { type Column, LongTable } from '../../parts/long-table.tsx';
import { roleNames } from '../../parts/names.ts';
import { Badge, Since } from '../../parts/small.tsx';
import { named, t } from '../../parts/words.ts';
import { Maker } from './maker.tsx';

interface TableProps {
  company: string;
  connections: readonly Connection[];
  onEnd(): void;
}

export function ConnectionTable({ company, connections, onEnd }: TableProps) {
  return (
    <LongTable
      labelled_by="connections"
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
      is_name: true,
      cell: ({ id, app }) => (
        <Link to="/$company/connections/$connection" params={{ company, connection: id }} className="row-link">
          {app.name}
        </Link>
      ),
    },
    { name: 'maker', title: t`Developer`, cell: ({ app }) => <Maker app={app} /> },
    {
      name: 'allowed-by',
      title: t`Authorized by`,
      says_name: true,
      cell: ({ allowed_by, kind, role, suspended_at, confirmation_requested_at }) => (
        <>
          {allowed_by.name ?? t`someone who has left`}
          {kind === 'installation' && (
            <span className="quiet"> · {t`installed, as ${named(roleNames, role ?? '')}`}</span>
          )}
          {suspended_at ? (
            <>
              {' '}
              <Badge tone="bad">{t`suspended`}</Badge>
            </>
          ) : (
            confirmation_requested_at && (
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
      says_name: true,
      cell: ({ created_at }) => <Since at={created_at} />,
    },
    {
      name: 'used',
      title: t`Last used`,
      says_name: true,
      cell: ({ last_used_at }) => (last_used_at ? <Since at={last_used_at} /> : t`not in the last 31 days`),
    },
  ];
}
