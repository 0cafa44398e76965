/** Keyboard navigation of a tree (ARIA Authoring Practices): arrows, Home, End, and Enter. */
import { useNavigate } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import type { ChartItem } from './chart-items.ts';
import type { useBranches } from './use-branches.ts';

interface TreeKeys {
  company: string;
  /** In reading order. */
  items: readonly ChartItem[];
  current: ChartItem | undefined;
  tree: Pick<ReturnType<typeof useBranches>, 'open' | 'close' | 'showMore'>;
  move(key: string): void;
}

export function useTreeKeys({ company, items, current, tree, move }: TreeKeys) {
  const navigate = useNavigate();
  return (event: KeyboardEvent) => {
    if (!current || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = items.indexOf(current);
    const go = (item: ChartItem | undefined) => {
      if (item) move(item.key);
    };
    const hasReports = current.kind === 'person' && current.node.reports_count > 0;
    const isOpen = current.kind === 'person' && current.isOpen;
    const inward = () => {
      if (isOpen) go(items.find(({ parent }) => parent === current.key));
      else if (hasReports) tree.open(current.key);
    };
    const outward = () => {
      if (isOpen) tree.close(current.key);
      else go(items.find(({ key }) => key === current.parent));
    };
    const enter = () => {
      if (current.kind === 'more') tree.showMore(current);
      else void navigate({ to: '/$company/people/$person', params: { company, person: current.key } });
    };
    const handlers = new Map<string, () => void>([
      ['ArrowDown', () => go(items[at + 1])],
      ['ArrowUp', () => go(items[at - 1])],
      ['Home', () => go(items[0])],
      ['End', () => go(items.at(-1))],
      ['ArrowRight', inward],
      ['ArrowLeft', outward],
      ['Enter', enter],
    ]);
    const handler = handlers.get(event.key);
    if (!handler) return;
    event.preventDefault();
    handler();
  };
}
