/** Detects a first column that only numbers the rows, as programs write it for tables with an index. */
import type { Cell } from '../../../../platform/sheets/model/types.ts';

export class IndexColumn {
  #next: number | undefined;
  #counts = true;

  /** Whether all cells so far count up from 0 or 1. */
  get numbersRows(): boolean {
    return this.#counts && this.#next !== undefined;
  }

  add(cell: Cell): void {
    const number = typeof cell === 'number' || /^\d{1,7}$/.test(String(cell)) ? Number(cell) : Number.NaN;
    this.#counts &&= this.#next === undefined ? number === 0 || number === 1 : number === this.#next;
    this.#next = number + 1;
  }
}
