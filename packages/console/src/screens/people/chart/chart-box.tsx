import { Link } from '@tanstack/react-router';
import { number } from '../../../parts/format.ts';
import { t, tn } from '../../../parts/translate.ts';
import { Avatar } from '../person-badge.tsx';
import type { ChartItem } from './chart-items.ts';
import { boxHeight, boxWidth } from './chart-layout.ts';
import type { useBranches } from './use-branches.ts';

interface ChartBoxProps {
  company: string;
  item: ChartItem;
  point: { x: number; y: number };
  /** Whether it is the tab stop. */
  isActive: boolean;
  tree: Pick<ReturnType<typeof useBranches>, 'open' | 'close' | 'showMore'>;
  onActive(): void;
}

export function ChartBox({ company, item, point, isActive, tree, onActive }: ChartBoxProps) {
  const box = {
    role: 'treeitem',
    'aria-level': item.level,
    'aria-expanded': item.kind === 'person' && item.node.reports_count > 0 ? item.isOpen : undefined,
    tabIndex: isActive ? 0 : -1,
    onFocus: onActive,
    style: { left: point.x, top: point.y, width: boxWidth, height: boxHeight },
  };
  if (item.kind === 'more') {
    return (
      <div {...box} className="chart-box more">
        <button type="button" className="button quiet" tabIndex={-1} onClick={() => tree.showMore(item)}>
          {item.cursor === undefined
            ? tn(item.left, t`Show ${number(item.left)} other`, t`Show ${number(item.left)} others`)
            : t`Show more (${number(item.left)} left)`}
        </button>
      </div>
    );
  }
  const { node, isOpen } = item;
  const { id, name, position, avatar_url: avatarUrl, reports_count: reports, team_count: team } = node;
  const sizes = [
    tn(reports, t`${number(reports)} report`, t`${number(reports)} reports`),
    ...(team > reports ? [t`${number(team)} in the team`] : []),
  ].join(' · ');
  return (
    <div {...box} className="chart-box">
      <Avatar name={name} url={avatarUrl} />
      <div className="chart-words">
        <Link to="/$company/people/$person" params={{ company, person: id }} tabIndex={-1}>
          {name}
        </Link>
        <span className="quiet">{position}</span>
      </div>
      {reports > 0 && (
        <button
          type="button"
          className="chart-toggle"
          tabIndex={-1}
          aria-label={`${t`${name}'s team`}: ${sizes}`}
          title={sizes}
          onClick={() => (isOpen ? tree.close(id) : tree.open(id))}
        >
          {number(team)} {isOpen ? '▴' : '▾'}
        </button>
      )}
    </div>
  );
}
