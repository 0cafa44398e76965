/**
 * Column widths of a table, changed by dragging a column's edge or with the arrow keys, and stored in this browser. By
 * default the browser chooses them. The last column takes the remaining space.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../local-storage.ts';
import { t } from '../translate.ts';

/** In pixels, by column name. */
type Widths = Readonly<Record<string, number>>;

export interface ColumnWidths {
  /** Empty while the browser chooses. */
  widths: Widths;
  /** @param measured current widths of all columns; the others keep theirs */
  resize(measured: Widths, column: string, widthPx: number): void;
  reset(): void;
}

const [minPx, maxPx, stepPx, newColumnPx] = [32, 4_000, 16, 160];

export function useColumnWidths(table: string): ColumnWidths {
  const storageKey = `console.widths.${table}`;
  const [widths, setWidths] = useState<Widths>(() => readWidths(storageKey));
  const set = (next: Widths) => {
    setWidths(next);
    writeStored(storageKey, JSON.stringify(next));
  };
  return {
    widths,
    resize: (measured, column, widthPx) =>
      set({ ...widths, ...measured, [column]: Math.min(Math.max(Math.round(widthPx), minPx), maxPx) }),
    reset: () => set({}),
  };
}

function readWidths(storageKey: string): Widths {
  try {
    const stored: unknown = JSON.parse(readStored(storageKey) ?? '{}');
    return Object.fromEntries(
      Object.entries(stored ?? {}).filter(([, px]) => typeof px === 'number' && px > 0 && px <= maxPx),
    );
  } catch {
    return {};
  }
}

/** @returns column widths, for the last one its minimum; undefined while the browser chooses */
export function sizesOf(widths: Widths, columns: readonly { name: string }[]): readonly number[] | undefined {
  if (!columns.some(({ name }) => name in widths)) return undefined;
  return columns.map(({ name }) => widths[name] ?? newColumnPx);
}

interface EdgeProps extends ColumnWidths {
  column: string;
  title: string;
}

/** The right edge of a header cell: a window splitter (WAI-ARIA Authoring Practices). */
export function ColumnEdge({ column, title, resize, reset }: EdgeProps) {
  const edge = useRef<HTMLSpanElement>(null);
  const dragged = useRef<{ fromPx: number; measured: Widths }>(undefined);
  const [nowPx, setNow] = useState(0);
  useEffect(() => {
    const cell = edge.current!.parentElement!;
    const observer = new ResizeObserver(() => setNow(cell.offsetWidth));
    observer.observe(cell);
    return () => observer.disconnect();
  }, []);
  const start = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    edge.current!.setPointerCapture(event.pointerId);
    const measured = measuredFrom(edge.current!);
    dragged.current = { fromPx: event.clientX - measured[column]!, measured };
  };
  const move = ({ clientX }: PointerEvent) => {
    if (dragged.current) resize(dragged.current.measured, column, clientX - dragged.current.fromPx);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) return reset();
    const measured = measuredFrom(edge.current!);
    resize(measured, column, measured[column]! + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr can't be moved
    <span
      ref={edge}
      role="separator"
      aria-orientation="vertical"
      aria-label={t`Width of ${title}`}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      aria-valuenow={nowPx}
      title={t`Drag, or press the arrow keys. Double-click or press Enter to reset all widths.`}
      tabIndex={0}
      className="column-edge"
      onPointerDown={start}
      onPointerMove={move}
      onLostPointerCapture={() => {
        dragged.current = undefined;
      }}
      onDoubleClick={reset}
      onKeyDown={press}
    />
  );
}

function measuredFrom(edge: HTMLElement): Widths {
  const cells = edge.closest('tr')!.querySelectorAll<HTMLElement>('[data-column]');
  return Object.fromEntries([...cells].map((cell) => [cell.dataset.column!, cell.offsetWidth]));
}
