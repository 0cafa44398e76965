/** The words of this room: cells and rows as all formats have them, and how much a file may ask for. */

/**
 * What a cell holds, whatever the format. Dates are ISO text: `2026-03-02`, with a time `2026-03-02T08:30:00`, a time
 * alone `08:30:00`. A cell without anything in it is null, and so is an empty text: no format tells the two apart.
 */
export type Cell = string | number | boolean | null;

export type CellProblemCode =
  | 'formula'
  | 'cell_error'
  | 'date_out_of_range'
  | 'not_finite'
  | 'digits_lost'
  | 'letters_lost';

/** A cell whose content can't be taken as data as it stands; its value is null. */
export interface CellProblem {
  /** Counted from 0. */
  column: number;
  code: CellProblemCode;
  /** What stands there: the last result of a formula, the name of an error, a number. */
  text: string;
  /** Of a formula, its last result as a cell would have it; null where the file has none. */
  value?: Cell;
}

/** A row with at least one cell that is not empty. */
export interface Row {
  /** As a spreadsheet program shows it, counted from 1. */
  row: number;
  /** By column, counted from 0; nothing behind the last that has a value. */
  cells: Cell[];
  /** Only when there are any. */
  problems?: CellProblem[];
}

/** Workbooks of Excel since 2007, of Excel 97 to 2003, binary ones, and those of OpenDocument; and text. */
export type SheetFormat = 'xlsx' | 'xls' | 'xlsb' | 'ods' | 'csv';

export interface TableInfo {
  format: SheetFormat;
  /** Of the sheet that is read. */
  sheet?: string;
  /** All visible sheets of the workbook. */
  sheets?: string[];
  /** Of a csv file: `utf-8`, `windows-1250` … as the encoding standard of the web names them. */
  encoding?: string;
  /** Why that is not certain. */
  encoding_guess?: EncodingGuess;
  delimiter?: string;
  /** Of a workbook: whether it counts days from 1904. */
  from1904?: boolean;
  /** What `writeWorkbook` was given to hide in the workbook. */
  properties?: Record<string, string>;
}

/** An encoding that was told from the text, when it could as well be another one. */
export interface EncodingGuess {
  /** Something in the file that depends on it, as it reads in the encoding that was chosen. */
  sample: string;
  /** The next best encoding. */
  other_encoding: string;
  /** The same as it reads there. */
  other_sample: string;
}

export interface ReadLimits {
  /** Of the file. */
  fileBytes: number;
  /** Of all parts of a workbook, unpacked. */
  expandedBytes: number;
  /** How many times its size a part of a workbook may have unpacked, once it is large. */
  expansion: number;
  /** Rows that have a value, the header among them. */
  rows: number;
  columns: number;
  /** Of one row, those that are empty too: counted while it is read. */
  fields: number;
  /**
   * Cells that have a format and nothing else. A column that is formatted down to the last row has a million; a few of them
   * are usual, all of a sheet would keep a thread for longer than its rows do.
   */
  empty_cells: number;
  /** Of one cell; Excel's own limit. */
  cell_chars: number;
  /** Of the texts in one row. */
  row_chars: number;
  /** Of the texts in all cells: a small workbook can have one long text in millions of them. */
  textChars: number;
  /** Of all texts that a workbook keeps apart from its cells. */
  sharedTextChars: number;
  /** How long a thread may work on a file, however small it is, and for each of its values beside. */
  effortMs: number;
  effortOfValueMs: number;
  /** How long a reading thread may be silent while rows are waited for. */
  silentMs: number;
}

export const readLimits: ReadLimits = {
  fileBytes: 20 * 1024 * 1024,
  expandedBytes: 512 * 1024 * 1024,
  expansion: 200,
  rows: 100_012, // what stands above the headers, they, units, the example, and the people
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

/** What a column holds, and so how its cells are written. */
export type CellKind = 'text' | 'number' | 'money' | 'date' | 'datetime' | 'boolean';
