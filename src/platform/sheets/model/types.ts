/** The data model of all formats: cells, rows, and limits. */

/**
 * A cell's value in any format. Dates are ISO text: `2026-03-02`, with a time `2026-03-02T08:30:00`, only a time `08:30:00`.
 * Empty cells and empty texts are null, because no format distinguishes them.
 */
export type Cell = string | number | boolean | null;

export type CellProblemCode =
  | 'formula'
  | 'cell_error'
  | 'date_out_of_range'
  | 'not_finite'
  | 'digits_lost'
  | 'letters_lost';

/** A cell whose content isn't usable as data; its value is null. */
export interface CellProblem {
  /** Counted from 0. */
  column: number;
  code: CellProblemCode;
  /** The content: the last result of a formula, the name of an error, or a number. */
  text: string;
  /** For a formula, its last result as a cell value; null if the file has none. */
  value?: Cell;
}

/** A row with at least one nonempty cell. */
export interface Row {
  /** As displayed by a spreadsheet, counted from 1. */
  row: number;
  /** By column, from 0; ends with the last nonempty cell. */
  cells: Cell[];
  /** Undefined if there are none. */
  problems?: CellProblem[];
}

/** Excel since 2007, Excel 97 to 2003, binary Excel, OpenDocument, and text. */
export type SheetFormat = 'xlsx' | 'xls' | 'xlsb' | 'ods' | 'csv';

export interface TableInfo {
  format: SheetFormat;
  sheet?: string;
  /** All visible sheets of the workbook. */
  sheets?: string[];
  /** Of a csv file, by its WHATWG name: `utf-8`, `windows-1250` … */
  encoding?: string;
  /** Why the encoding is uncertain. */
  encoding_guess?: EncodingGuess;
  delimiter?: string;
  /** Of a workbook: whether it counts days from 1904. */
  from1904?: boolean;
  /** Hidden properties written by `writeWorkbook`. */
  properties?: Record<string, string>;
}

/** A detected encoding with a plausible alternative. */
export interface EncodingGuess {
  /** A sample text that depends on the encoding, in the chosen one. */
  sample: string;
  other_encoding: string;
  /** The sample in the other encoding. */
  other_sample: string;
}

export interface ReadLimits {
  fileBytes: number;
  /** Of all parts of a workbook, unpacked. */
  expandedBytes: number;
  /** The highest compression ratio of a large part. */
  expansion: number;
  /** Nonempty rows, including the header. */
  rows: number;
  columns: number;
  /** Of one row, including empty fields; checked while reading. */
  fields: number;
  /** Cells with only a format: a column has up to a million, and a whole sheet of them would take longer than its rows. */
  empty_cells: number;
  /** Of one cell; Excel's limit. */
  cell_chars: number;
  /** Of all texts in one row. */
  row_chars: number;
  /** Of all texts in cells: a small workbook can repeat one long text in millions of cells. */
  textChars: number;
  /** Of all shared strings of a workbook. */
  sharedTextChars: number;
  /** CPU time for a file, and additionally for each of its values. */
  effortMs: number;
  effortOfValueMs: number;
  /** How long a reading thread may send nothing while rows are awaited. */
  silentMs: number;
}

export const readLimits: ReadLimits = {
  fileBytes: 20 * 1024 * 1024,
  expandedBytes: 512 * 1024 * 1024,
  expansion: 200,
  rows: 100_012, // rows above the headers, the headers, units, the example, and the people
  columns: 500,
  fields: 500,
  empty_cells: 10_000_000,
  cell_chars: 32_767,
  row_chars: 1024 * 1024,
  textChars: 64 * 1024 * 1024,
  sharedTextChars: 128 * 1024 * 1024,
  effortMs: 10_000,
  effortOfValueMs: 0.02, // twice what an ods takes
  silentMs: 60_000,
};

/** The type of a column's values, which decides their format. */
export type CellKind = 'text' | 'number' | 'money' | 'date' | 'datetime' | 'boolean';
