/** Why a file can't be read, or a sheet not be written: the reason in one word, and a sentence for whoever made the file. */

export type SheetErrorCode =
  | 'empty_file'
  | 'not_a_workbook'
  | 'legacy_workbook'
  | 'password_protected'
  | 'macros'
  | 'external_links'
  | 'unknown_encoding'
  | 'damaged'
  | 'expands_too_much'
  | 'file_too_large'
  | 'takes_too_long'
  | 'no_sheet'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'cell_too_long';

export interface SheetErrorDetails {
  row?: number;
  /** As a spreadsheet program shows it: `A`, `B` … */
  column?: string;
  /** Sheets that it is about. */
  names?: string[];
  limit?: number;
}

export class SheetError extends Error {
  override name = 'SheetError';
  readonly code: SheetErrorCode;
  readonly details: SheetErrorDetails;

  constructor(code: SheetErrorCode, message: string, details: SheetErrorDetails = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}

/** An error of the reader itself: a file that nobody foresaw. For whoever made the file it is damaged; the operator's log has it. */
export class ReaderFault extends Error {
  override name = 'ReaderFault';
}

export function legacyWorkbook(): SheetError {
  return new SheetError('legacy_workbook', 'The workbook is of Excel 95 or before. Save it as xlsx.');
}

export function damaged(what: string, cause?: unknown): SheetError {
  return new SheetError('damaged', `The workbook is damaged or incomplete: ${what}.`, {}, cause);
}
