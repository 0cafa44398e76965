/** What the org chart draws: people, and buttons that read more of a level. */
import type { ChartLevel, OrgChartNode } from '../../../api/people.ts';

export type ChartItem = (PersonItem | MoreItem) & {
  key: string;
  /** From 1, as `aria-level` counts. */
  level: number;
  /** The key of the manager's item; undefined at the top. */
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
  /** Undefined to show all reports, where only the way to one is shown. */
  cursor: string | undefined;
  left: number;
}

export interface Branch {
  item: ChartItem;
  below: Branch[];
}

/** How much of a manager's reports is shown: all, or only the way to somebody who was looked for. */
export type Openness = 'all' | { way: OrgChartNode };

/** In the order of reading: each before those below it. */
export function inOrder(branches: readonly Branch[]): ChartItem[] {
  return branches.flatMap(({ item, below }) => [item, ...inOrder(below)]);
}
