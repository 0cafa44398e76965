import type { CompanyEvent } from '../../api/events.ts';
import { type Column, LongTable } from '../../parts/lists/long-table.tsx';
import { Time } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

interface TableProps {
  events: readonly CompanyEvent[];
  onOpen(event: CompanyEvent): void;
}

export function EventTable({ events, onOpen }: TableProps) {
  const columns: Column<CompanyEvent>[] = [
    { name: 'time', title: t`Time`, cell: ({ timestamp }) => <Time at={timestamp} /> },
    {
      name: 'event',
      title: t`Event`,
      isName: true,
      cell: (event) => (
        <button type="button" className="row-open" onClick={() => onOpen(event)}>
          {event.event}
        </button>
      ),
    },
    { name: 'about', title: t`About`, cell: (event) => aboutOf(event) ?? <span className="quiet">–</span> },
  ];
  return <LongTable labelledBy="events" rows={events} columns={columns} keyOf={({ id }) => id} onEnd={() => {}} />;
}

/** The most telling value of an event: usually a name, file name, or URL. */
function aboutOf({ data: { data = {} } }: CompanyEvent): string | undefined {
  const { name, filename, email, url, id } = data as Record<string, unknown>;
  const found = [name, filename, email, url, id].find((each) => typeof each === 'string');
  return found as string | undefined;
}
