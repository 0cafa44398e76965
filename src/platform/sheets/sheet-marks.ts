/** What a sheet says of its rows beside their cells, complete once all of it is read. Rows are counted from 1. */

/** The first column of cells that are merged over several rows; its value stands in the first of them alone. */
export interface MergedCells {
  column: number;
  first: number;
  last: number;
}

/** Of a list that people have made; a longer one is a program's. */
const most = 100_000;

export class SheetMarks {
  readonly merged: MergedCells[] = [];
  /** Rows that a filter or a person hides. */
  readonly hidden: number[] = [];

  addMerged(cells: MergedCells): void {
    if (cells.last > cells.first && this.merged.length < most) this.merged.push(cells);
  }

  addHidden(row: number): void {
    if (this.hidden.length < most) this.hidden.push(row);
  }
}
