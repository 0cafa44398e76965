/** A table of many rows, of which those are drawn that are looked at, with room above and below for the others. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

export interface Column<Row> {
  name: string;
  title: string;
  cell(row: Row): ReactNode;
  /** Numbers stand below each other. */
  isFigure?: boolean;
  /** What the row is called by; it leads to the row's own screen. */
  isName?: boolean;
  /** Where the table is narrow, the cell says what it is. */
  saysName?: boolean;
  /** What to sort by when its head is pressed. */
  sort?: string;
}

interface LongTableProps<Row> {
  /** The id of what the table is called by. */
  labelledBy: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** Somebody came near the end. */
  onEnd(): void;
  /** A name, with `-` in front for the other way round. */
  sort?: string | undefined;
  onSort?(sort: string): void;
}

const rowHeightPx = 49;

export function LongTable<Row>({ labelledBy, rows, columns, keyOf, onEnd, sort, onSort }: LongTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    scrollMargin: table.current?.offsetTop ?? 0,
    getItemKey: (at) => keyOf(rows[at]!),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  });
  const abovePx = (shown[0]?.start ?? 0) - virtual.options.scrollMargin;
  const belowPx = virtual.getTotalSize() - ((shown.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  return (
    <div className="table">
      <table ref={table} aria-rowcount={rows.length + 1} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Room heightPx={abovePx} columns={columns.length} />
          {shown.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2} data-index={index} ref={virtual.measureElement}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={rows[index]!} />
              ))}
            </tr>
          ))}
          <Room heightPx={belowPx} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ column, sort, onSort }: Pick<LongTableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> }) {
  const { title, isFigure, sort: by } = column;
  const way = !by ? undefined : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  return (
    <th scope="col" className={isFigure ? 'figure' : undefined} aria-sort={way}>
      {by && onSort ? (
        <button type="button" className="sort" onClick={() => onSort(way === 'ascending' ? `-${by}` : by)}>
          {title}
          <span aria-hidden="true">{way === 'ascending' ? ' ↑' : way === 'descending' ? ' ↓' : ''}</span>
        </button>
      ) : (
        title
      )}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { cell, isName, isFigure, saysName, title } = column;
  if (isName) return <th scope="row">{cell(row)}</th>;
  return (
    <td className={isFigure ? 'figure' : undefined} data-name={saysName ? title : undefined}>
      {cell(row)}
    </td>
  );
}

function Room({ heightPx, columns }: { heightPx: number; columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr className="room">
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  );
}
