/** Items of the org chart: people, and buttons that load more of a level. */
import type { ChartLevel, OrgChartNode } from '../../../api/org-chart.ts';

export type ChartItem = (PersonItem | MoreItem) & {
  key: string;
  /** Starts at 1, like `aria-level`. */
  level: number;
  /** Key of the manager's item; undefined at the top. */
  parent: string | undefined;
};

interface PersonItem {
  kind: 'person';
  node: OrgChartNode;
  isOpen: boolean;
}

interface MoreItem {
  kind: 'more';
  of: ChartLevel;
  /** Undefined for "show all reports", when only a search path is open. */
  cursor: string | undefined;
  left: number;
}

export interface Branch {
  item: ChartItem;
  children: Branch[];
}

/** How a manager is expanded: all reports, or only the path to a search result. */
export type Openness = 'all' | { way: OrgChartNode };

/** Pre-order: each person before their reports. */
export function inOrder(branches: readonly Branch[]): ChartItem[] {
  return branches.flatMap(({ item, children }) => [item, ...inOrder(children)]);
}
