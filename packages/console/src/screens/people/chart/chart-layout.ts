/** Org chart layout: top down, managers side by side, people without reports in columns. */
import { hierarchy, tree } from 'd3-hierarchy';
import type { Branch, ChartItem } from './chart-items.ts';

export const boxWidth = 208;
export const boxHeight = 72;
const gap = { x: 24, y: 48, column: 8 };

interface Placed {
  item: ChartItem;
  x: number;
  y: number;
}

export interface Layout {
  placed: Placed[];
  /** SVG paths from the bottom of a manager to the top of each report. */
  lines: string[];
  width: number;
  height: number;
}

/** A box, or the head of a column, whose rest extends into the levels below. */
interface Box {
  items: ChartItem[];
  /** Reserves the space of the column above. */
  isSpacer: boolean;
  boxes: Box[];
}

const rowHeight = boxHeight + gap.y;

export function layoutOf(roots: readonly Branch[]): Layout {
  const top: Box = { items: [], isSpacer: true, boxes: boxesOf(roots) };
  const root = tree<Box>().nodeSize([boxWidth + gap.x, rowHeight])(hierarchy(top, ({ boxes }) => boxes));
  const visibleNodes = root.descendants().filter(({ data }) => !data.isSpacer);
  const minX = Math.min(0, ...visibleNodes.map(({ x }) => x));
  const placed: Placed[] = [];
  const lines: string[] = [];
  for (const { x, y, parent, data } of visibleNodes) {
    const at = { x: x - minX, y: y - rowHeight };
    for (const [index, item] of data.items.entries()) {
      placed.push({ item, x: at.x, y: at.y + index * (boxHeight + gap.column) });
    }
    if (parent && !parent.data.isSpacer)
      lines.push(line(parent.x - minX, parent.y - rowHeight + boxHeight, at.x, at.y));
  }
  return {
    placed,
    lines,
    width: Math.max(0, ...placed.map(({ x }) => x)) + boxWidth,
    height: Math.max(0, ...placed.map(({ y }) => y)) + boxHeight,
  };
}

function line(fromX: number, fromY: number, toX: number, toY: number): string {
  const half = boxWidth / 2;
  return `M${fromX + half} ${fromY}V${toY - gap.y / 2}H${toX + half}V${toY}`;
}

/** A box for each person with reports; one column for all others. */
function boxesOf(branches: readonly Branch[]): Box[] {
  const isLeaf = ({ item }: Branch) => item.kind === 'more' || item.node.reports_count === 0;
  const managers = branches.filter((branch) => !isLeaf(branch));
  const column = branches.filter(isLeaf).map(({ item }) => item);
  const boxes = managers.map(({ item, children }) => ({ items: [item], isSpacer: false, boxes: boxesOf(children) }));
  return column.length > 0 ? [...boxes, columnOf(column)] : boxes;
}

function columnOf(items: ChartItem[]): Box {
  const heightPx = items.length * (boxHeight + gap.column);
  let spacers: Box[] = [];
  for (let rows = Math.ceil(heightPx / rowHeight); rows > 1; rows--)
    spacers = [{ items: [], isSpacer: true, boxes: spacers }];
  return { items, isSpacer: false, boxes: spacers };
}
