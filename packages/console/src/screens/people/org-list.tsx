/** The org chart as a list. Levels load when opened, so the cost doesn't grow with the company. */
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/client/session.ts';
import { type Level, levelQuery, type OrgChartNode } from '../../api/org-chart.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Loading } from '../../parts/small.tsx';
import { t, tn } from '../../parts/translate.ts';
import { Avatar } from './person-badge.tsx';

const teams: Level = { has_reports: true };
const singles: Level = { has_reports: false };

export function OrgList({ company }: { company: string }) {
  return (
    <div className="tree panel">
      <Nodes company={company} level={teams} />
      <Singles company={company} />
    </div>
  );
}

/** Groups people without a manager and without reports: right after an import, that is nearly everyone. */
export function Singles({ company }: { company: string }) {
  const [isOpen, setOpen] = useState<boolean>();
  const { data: tops } = useInfiniteQuery(levelQuery(company, teams));
  const { data } = useInfiniteQuery(levelQuery(company, singles));
  const { data: session } = useSuspenseQuery(sessionQuery);
  const count = data?.pages[0]?.total ?? 0;
  if (!tops || count === 0) return null;
  const seesEveryone = session.companies.find(({ id }) => id === company)?.role === 'admin';
  const title = seesEveryone
    ? tn(
        count,
        t`${number(count)} person without a manager or reports`,
        t`${number(count)} people without a manager or reports`,
      )
    : tn(
        count,
        t`${number(count)} person without a manager or reports that you can see`,
        t`${number(count)} people without a manager or reports that you can see`,
      );
  const isExpanded = isOpen ?? tops.pages[0]?.total === 0;
  return (
    <div className="singles">
      <div className="row branch">
        <Toggle title={title} isOpen={isExpanded} onToggle={() => setOpen(!isExpanded)} />
        <span>{title}</span>
      </div>
      {isExpanded && <Nodes company={company} level={singles} />}
    </div>
  );
}

/** A single top node starts expanded. */
function Nodes({ company, level }: { company: string; level: Level }) {
  const list = useInfiniteQuery(levelQuery(company, level));
  const nodes = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = list.data?.pages.at(-1)?.total ?? 0;
  return (
    <>
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {list.isPending && <Loading />}
      <ul>
        {nodes.map((node) => (
          <Branch key={node.id} company={company} node={node} startsOpen={level === teams && total === 1} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button kind="quiet" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t`Show more (${number(total - nodes.length)} left)`}
        </Button>
      )}
    </>
  );
}

function Branch({ company, node, startsOpen }: { company: string; node: OrgChartNode; startsOpen: boolean }) {
  const [isOpen, setOpen] = useState(startsOpen);
  const { id, name, position, avatar_url: avatarUrl, reports_count: reportsCount, team_count: teamCount } = node;
  return (
    <li>
      <div className="row branch">
        {reportsCount > 0 ? (
          <Toggle title={t`${name}'s team`} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        ) : (
          <span className="twist" aria-hidden="true" />
        )}
        <Link to="/$company/people/$person" params={{ company, person: id }} className="row">
          <Avatar name={name} url={avatarUrl} />
          <span>{name}</span>
        </Link>
        <span className="quiet row about">
          <span>{position}</span>
          {reportsCount > 0 && (
            <span>{tn(reportsCount, t`${number(reportsCount)} report`, t`${number(reportsCount)} reports`)}</span>
          )}
          {teamCount > reportsCount && <span>{t`${number(teamCount)} in the team`}</span>}
        </span>
      </div>
      {isOpen && <Nodes company={company} level={{ manager_id: id }} />}
    </li>
  );
}

function Toggle({ title, isOpen, onToggle }: { title: string; isOpen: boolean; onToggle(): void }) {
  return (
    <button type="button" className="twist" aria-expanded={isOpen} aria-label={title} onClick={onToggle}>
      {isOpen ? '▾' : '▸'}
    </button>
  );
}
