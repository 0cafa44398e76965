/** Virtualized table: renders only visible rows, with spacers above and below. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { t } from '../translate.ts';
import { ColumnEdge, type ColumnWidths, sizesOf, useColumnWidths } from './column-widths.tsx';

export interface Column<Row> {
  name: string;
  title: string;
  cell(row: Row): ReactNode;
  /** Right-aligned number. */
  isFigure?: boolean;
  /** The row's title, which links to its screen. */
  isName?: boolean;
  /** Repeats the column title in the cell when the table is narrow. */
  hasLabel?: boolean;
  /** Sort key of the column header. */
  sort?: string;
}

interface LongTableProps<Row> {
  /** Element id, and the name of the stored column widths. */
  labelledBy: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  onEnd(): void;
  /** Sort key, with `-` for descending order. */
  sort?: string | undefined;
  onSort?(sort: string): void;
  selection?: Selection<Row> | undefined;
}

export interface Selection<Row> {
  /** Row keys. */
  chosen: ReadonlySet<string>;
  /** Checkbox label for screen readers. */
  nameOf(row: Row): string;
  onChoose(rows: readonly Row[], isChosen: boolean): void;
}

const rowHeightPx = 41;

export function LongTable<Row>(props: LongTableProps<Row>) {
  const { labelledBy, rows, columns, keyOf, onEnd, sort, onSort, selection } = props;
  const table = useRef<HTMLTableElement>(null);
  const widths = useColumnWidths(labelledBy);
  const sizes = sizesOf(widths.widths, columns);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    scrollMargin: table.current?.offsetTop ?? 0,
    getItemKey: (at) => keyOf(rows[at]!),
  });
  const visibleRows = virtual.getVirtualItems();
  const last = visibleRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  });
  const abovePx = (visibleRows[0]?.start ?? 0) - virtual.options.scrollMargin;
  const belowPx = virtual.getTotalSize() - ((visibleRows.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  return (
    <div className="table">
      <table
        ref={table}
        className={sizes && 'sized'}
        style={sizes && ({ '--columns': `${sizes.reduce((sum, px) => sum + px, 0)}px` } as CSSProperties)}
        aria-rowcount={rows.length + 1}
        aria-labelledby={labelledBy}
      >
        {sizes && (
          <colgroup>
            {selection && <col />}
            {sizes.map((px, at) => (
              <col key={columns[at]!.name} style={at < sizes.length - 1 ? { width: px } : undefined} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {selection && <ChooseAll rows={rows} keyOf={keyOf} selection={selection} />}
            {columns.map((column, at) => (
              <Head
                key={column.name}
                column={column}
                sort={sort}
                onSort={onSort}
                widths={at < columns.length - 1 ? widths : undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer heightPx={abovePx} columns={columns.length + 1} />
          {visibleRows.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2} data-index={index} ref={virtual.measureElement}>
              {selection && <Choose rows={rows} at={index} keyOf={keyOf} selection={selection} />}
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={rows[index]!} />
              ))}
            </tr>
          ))}
          <Spacer heightPx={belowPx} columns={columns.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

interface ChooseProps<Row> {
  rows: readonly Row[];
  keyOf(row: Row): string;
  selection: Selection<Row>;
}

function ChooseAll<Row>({ rows, keyOf, selection: { chosen, onChoose } }: ChooseProps<Row>) {
  const count = rows.filter((row) => chosen.has(keyOf(row))).length;
  return (
    <th scope="col" className="choose">
      <input
        type="checkbox"
        aria-label={t`Select all loaded rows`}
        checked={count > 0 && count === rows.length}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < rows.length;
        }}
        onChange={({ target }) => onChoose(rows, target.checked)}
      />
    </th>
  );
}

/** Anchor of Shift+click range selection. */
let lastChosen = 0;

function Choose<Row>({ rows, at, keyOf, selection }: ChooseProps<Row> & { at: number }) {
  const { chosen, nameOf, onChoose } = selection;
  const row = rows[at]!;
  const isChosen = chosen.has(keyOf(row));
  return (
    <td className="choose above-row">
      <input
        type="checkbox"
        aria-label={t`Select ${nameOf(row)}`}
        checked={isChosen}
        onChange={({ nativeEvent }) => {
          const isRange = (nativeEvent as MouseEvent).shiftKey === true;
          const from = isRange ? Math.min(lastChosen, at) : at;
          onChoose(rows.slice(from, (isRange ? Math.max(lastChosen, at) : at) + 1), !isChosen);
          lastChosen = at;
        }}
      />
    </td>
  );
}

interface HeadProps<Row> extends Pick<LongTableProps<Row>, 'sort' | 'onSort'> {
  column: Column<Row>;
  /** Undefined for the last column, which takes the remaining space. */
  widths: ColumnWidths | undefined;
}

function Head<Row>({ column, sort, onSort, widths }: HeadProps<Row>) {
  const { name, title, isFigure, sort: by } = column;
  const direction = !by ? undefined : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  return (
    <th
      scope="col"
      className={isFigure ? 'figure' : undefined}
      aria-sort={direction}
      aria-label={title || undefined}
      data-column={name}
    >
      {by && onSort ? (
        <button type="button" className="sort" onClick={() => onSort(direction === 'ascending' ? `-${by}` : by)}>
          {title}
          <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}</span>
        </button>
      ) : (
        title
      )}
      {widths && <ColumnEdge column={name} title={title} {...widths} />}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { cell, isName, isFigure, hasLabel, title } = column;
  if (isName) return <th scope="row">{cell(row)}</th>;
  return (
    <td className={isFigure ? 'figure' : undefined} data-name={hasLabel ? title : undefined}>
      {cell(row)}
    </td>
  );
}

function Spacer({ heightPx, columns }: { heightPx: number; columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr className="room">
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  );
}
