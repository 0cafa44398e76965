import type { AuditEntry } from '../../api/audit.ts';
import { type Column, LongTable } from '../../parts/lists/long-table.tsx';
import { Badge, Time } from '../../parts/small.tsx';
import { named, t } from '../../parts/translate.ts';
import { Actor, Target } from './actor.tsx';
import { actionNames, outcomeNames } from './names.ts';

interface TableProps {
  company: string;
  entries: readonly AuditEntry[];
  onOpen(entry: AuditEntry): void;
  onEnd(): void;
}

export function AuditTable({ company, entries, onOpen, onEnd }: TableProps) {
  const columns: Column<AuditEntry>[] = [
    { name: 'time', title: t`Time`, cell: ({ at }) => <Time at={at} /> },
    {
      name: 'action',
      title: t`Action`,
      isName: true,
      cell: (entry) => (
        <button type="button" className="row-open" onClick={() => onOpen(entry)}>
          {named(actionNames, entry.action)}
        </button>
      ),
    },
    {
      name: 'actor',
      title: t`Done by`,
      hasLabel: true,
      cell: ({ actor }) => <Actor company={company} actor={actor} />,
    },
    {
      name: 'target',
      title: t`About`,
      hasLabel: true,
      cell: ({ actor, target }) =>
        target ? <Target company={company} entry={{ actor, target }} /> : <span className="quiet">–</span>,
    },
    {
      name: 'outcome',
      title: t`Outcome`,
      cell: ({ outcome }) => (
        <Badge tone={outcome === 'refused' ? 'bad' : 'quiet'}>{named(outcomeNames, outcome)}</Badge>
      ),
    },
  ];
  return <LongTable labelledBy="entries" rows={entries} columns={columns} keyOf={({ id }) => id} onEnd={onEnd} />;
}
