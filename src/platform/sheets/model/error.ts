/** Why a file can't be read, or a sheet can't be written: a code, and a message for the author of the file. */
import { type Text, t } from '../../../contract/languages/text.ts';

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
  /** As displayed by a spreadsheet: `A`, `B` … */
  column?: string;
  /** Affected sheets. */
  names?: string[];
  limit?: number;
}

export class SheetError extends Error {
  override name = 'SheetError';
  readonly code: SheetErrorCode;
  /** The translatable message; `message` is English, for logs. */
  readonly text: Text;
  readonly details: SheetErrorDetails;

  constructor(code: SheetErrorCode, text: Text, details: SheetErrorDetails = {}, cause?: unknown) {
    super(String(text), { cause });
    this.code = code;
    this.text = text;
    this.details = details;
  }
}

/** A bug in the reader, caused by an unforeseen file. The message says that the file is damaged; the log has the error. */
export class ReaderError extends Error {
  override name = 'ReaderFault';
}

export function legacyWorkbook(): SheetError {
  return new SheetError('legacy_workbook', t`The workbook is of Excel 95 or before. Save it as xlsx.`);
}

/** @param description continues the message: “it ends too early” */
export function damaged(description: Text, cause?: unknown): SheetError {
  return new SheetError('damaged', t`The workbook is damaged or incomplete: ${description}.`, {}, cause);
}
