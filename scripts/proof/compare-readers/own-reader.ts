/** Reads workbooks with our reader, without the size limits of imports. */
import { SheetError } from '../../../src/platform/sheets/model/error.ts';
import type { Cell, CellProblem } from '../../../src/platform/sheets/model/types.ts';
import type { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { compared, positionOf } from './table.ts';

/** Content of a cell: a value, or the reason why there is none. */
export type OurCell = { value: Exclude<Cell, null> } | { problem: CellProblem };

export interface OurSheet {
  name: string;
  cells: Map<number, OurCell>;
}

type OurResult =
  | { format: string; sheets: OurSheet[] }
  /** `fault`: a bug in the reader, not an error in the file. */
  | { refused: string; message: string; fault?: string };

const limits = { columns: 16_384, rows: 1_048_576, fileBytes: 200 * 1024 * 1024, silentMs: 120_000 };

/** All visible sheets. */
export async function readWithOwnReader(reader: SheetReader, path: string): Promise<OurResult> {
  const sheets: OurSheet[] = [];
  let names: string[] | undefined;
  let format = '';
  try {
    do {
      const sheet = names?.[sheets.length];
      const table = await reader.open(path, { limits, ...(sheet !== undefined && { sheet }) });
      format = table.info.format;
      names ??= table.info.sheets ?? [''];
      sheets.push({ name: table.info.sheet ?? '', cells: await cellsOf(table.rows) });
    } while (sheets.length < Math.min(names.length, compared.sheets));
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    const { code, message, cause } = error;
    const readerError = cause instanceof Error && cause.name === 'ReaderFault' ? cause.message : undefined;
    return { refused: code, message, ...(readerError !== undefined && { fault: readerError }) };
  }
  return { format, sheets };
}

async function cellsOf(
  rows: AsyncIterable<{ row: number; cells: Cell[]; problems?: CellProblem[] }>,
): Promise<OurSheet['cells']> {
  const found: OurSheet['cells'] = new Map();
  for await (const { row, cells, problems = [] } of rows) {
    if (row > compared.rows) break;
    cells.slice(0, compared.columns).forEach((value, column) => {
      if (value !== null) found.set(positionOf(row - 1, column), { value });
    });
    for (const problem of problems) {
      if (problem.column < compared.columns) found.set(positionOf(row - 1, problem.column), { problem });
    }
  }
  return found;
}
