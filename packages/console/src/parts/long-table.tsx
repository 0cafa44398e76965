/** A table of many rows, of which those are drawn that are looked at, with room above and below for the others. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

export interface Column<Row> {
  name: string;
  title: string;
  cell(row: Row): ReactNode;
  /** Numbers stand below each other. */
  is_figure?: boolean;
  /** What the row is called by; it leads to the row's own screen. */
  is_name?: boolean;
  /** Where the table is narrow, the cell says what it is. */
  says_name?: boolean;
  /** What to sort by when its head is pressed. */
  sort?: string;
}

interface LongTableProps<Row> {
  /** The id of what the table is called by. */
  labelled_by: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** Somebody came near the end. */
  onEnd(): void;
  /** A name, with `-` in front for the other way round. */
  sort?: string | undefined;
  onSort?(sort: string): void;
}

const row_height_px = 49;

export function LongTable<Row>({ labelled_by, rows, columns, keyOf, onEnd, sort, onSort }: LongTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => row_height_px,
    overscan: 12,
    scrollMargin: table.current?.offsetTop ?? 0,
    getItemKey: (at) => keyOf(rows[at]!),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  });
  const above_px = (shown[0]?.start ?? 0) - virtual.options.scrollMargin;
  const below_px = virtual.getTotalSize() - ((shown.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  return (
    <div className="table">
      <table ref={table} aria-rowcount={rows.length + 1} aria-labelledby={labelled_by}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Room height_px={above_px} columns={columns.length} />
          {shown.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2} data-index={index} ref={virtual.measureElement}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} row={rows[index]!} />
              ))}
            </tr>
          ))}
          <Room height_px={below_px} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ column, sort, onSort }: Pick<LongTableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> }) {
  const { title, is_figure, sort: by } = column;
  const way = !by ? undefined : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  return (
    <th scope="col" className={is_figure ? 'figure' : undefined} aria-sort={way}>
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
  const { cell, is_name, is_figure, says_name, title } = column;
  if (is_name) return <th scope="row">{cell(row)}</th>;
  return (
    <td className={is_figure ? 'figure' : undefined} data-name={says_name ? title : undefined}>
      {cell(row)}
    </td>
  );
}

function Room({ height_px, columns }: { height_px: number; columns: number }) {
  if (height_px <= 0) return null;
  return (
    <tr className="room">
      <td colSpan={columns} style={{ height: height_px }} />
    </tr>
  );
}
