/** Metadata of a sheet's rows, complete after the last row. Rows are counted from 1. */

/** The first column of a merged range over several rows; only the first row has the value. */
export interface MergedCells {
  column: number;
  first: number;
  last: number;
}

/** Longer lists are machine-generated. */
const most = 100_000;

export class SheetMarks {
  readonly merged: MergedCells[] = [];
  /** Rows hidden by a filter or a person. */
  readonly hidden: number[] = [];

  addMerged(cells: MergedCells): void {
    if (cells.last > cells.first && this.merged.length < most) this.merged.push(cells);
  }

  addHidden(row: number): void {
    if (this.hidden.length < most) this.hidden.push(row);
  }
}
