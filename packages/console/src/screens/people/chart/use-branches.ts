/** The expanded part of the tree. Levels load page by page when opened, so the cost doesn't grow with the company. */
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ChartLevel, chartPageQuery, chartPathQuery, type OrgChartNode } from '../../../api/org-chart.ts';
import type { Branch, ChartItem, Openness } from './chart-items.ts';

const top: ChartLevel = { has_reports: true };

export function useBranches(company: string) {
  const queries = useQueryClient();
  const [requestedLevels, setRequestedLevels] = useState<readonly ChartLevel[]>([top]);
  const [opened, setOpened] = useState<ReadonlyMap<string, Openness>>(new Map());
  /** Search path from the top. */
  const [way, setWay] = useState<OrgChartNode>();
  const pages = useQueries({ queries: requestedLevels.map((level) => chartPageQuery(company, level)) });

  const requestLevels = (levels: readonly ChartLevel[]) =>
    setRequestedLevels((before) => [
      ...before,
      ...levels.filter((level) => !before.some((each) => isSame(each, level))),
    ]);
  const open = (id: string) => {
    requestLevels([
      { manager_id: id, has_reports: true },
      { manager_id: id, has_reports: false },
    ]);
    setOpened((before) => new Map(before).set(id, 'all'));
  };
  const close = (id: string) => setOpened((before) => new Map([...before].filter(([each]) => each !== id)));
  const showMore = ({ of, cursor }: Extract<ChartItem, { kind: 'more' }>) => {
    if (cursor !== undefined) requestLevels([{ ...of, cursor }]);
    else if (of.manager_id === undefined) setWay(undefined);
    else open(of.manager_id);
  };
  /** @returns whether the reader can see the person */
  const find = async (id: string) => {
    const { nodes } = await queries.fetchQuery(chartPathQuery(company, id));
    if (nodes.length === 0) return false;
    setWay(nodes[0]);
    setOpened((before) => {
      const ways = nodes.slice(0, -1).map(({ id: each }, at): [string, Openness] => [each, { way: nodes[at + 1]! }]);
      return new Map([...before, ...ways]);
    });
    return true;
  };

  const first = pages[0]!.data;
  const only = first?.total === 1 ? first.nodes[0]!.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the top is known
  useEffect(() => {
    if (only !== undefined) open(only);
  }, [only]);

  const branchesOf = (manager: OrgChartNode | undefined, level: number): Branch[] => {
    const { id, reports_count: reportsCount = 0 } = manager ?? {};
    const shared = { level, parent: id };
    const openness = manager ? opened.get(manager.id) : way ? { way } : 'all';
    if (openness === undefined) return [];
    const person = (node: OrgChartNode): Branch => ({
      item: { kind: 'person', key: node.id, node, isOpen: opened.has(node.id), ...shared },
      children: branchesOf(node, level + 1),
    });
    const more = (of: ChartLevel, remaining: number, cursor?: string): Branch[] => {
      if (remaining <= 0) return [];
      const key = `more ${id ?? ''} ${of.has_reports ?? ''}`;
      return [{ item: { kind: 'more', key, of, cursor, left: remaining, ...shared }, children: [] }];
    };
    if (openness !== 'all') {
      const others = (manager ? reportsCount : (first?.total ?? 1)) - 1;
      return [person(openness.way), ...more(id === undefined ? {} : { manager_id: id }, others)];
    }
    const kinds = manager ? [true, false] : [true];
    return kinds.flatMap((hasReports) => {
      const of: ChartLevel = { ...(id !== undefined && { manager_id: id }), has_reports: hasReports };
      const loadedPages = requestedLevels.flatMap(({ cursor: _, ...each }, at) =>
        isSame(each, of) ? (pages[at]!.data ?? []) : [],
      );
      const nodes = loadedPages.flatMap((page) => page.nodes);
      const last = loadedPages.at(-1);
      return [...nodes.map(person), ...(last?.next ? more(of, last.total - nodes.length, last.next) : [])];
    });
  };

  return {
    branches: branchesOf(undefined, 1),
    open,
    close,
    showMore,
    find,
    isLoading: pages[0]!.isPending,
    isEmpty: first?.total === 0 && way === undefined,
    error: pages.find(({ error }) => error)?.error,
    retry: () => Promise.all(pages.filter(({ error }) => error).map(({ refetch }) => refetch())),
  };
}

function isSame(one: ChartLevel, other: ChartLevel): boolean {
  return one.manager_id === other.manager_id && one.has_reports === other.has_reports && one.cursor === other.cursor;
}
