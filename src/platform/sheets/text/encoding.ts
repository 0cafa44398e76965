/** Detects the encoding of a csv file by its byte order mark, zero bytes, or UTF-8 validity; otherwise declared or guessed. */
import { isUtf8 } from 'node:buffer';
import { t } from '../../../contract/languages/text.ts';
import { looksLikeMarkup } from '../../files/text.ts';
import { legacyWorkbook, SheetError } from '../model/error.ts';
import type { EncodingGuess } from '../model/types.ts';
import { guessEncoding, nonAsciiLines } from './guess-encoding.ts';

const headBytes = 8_192;
/** Tolerates a few stray control characters in text. */
const fewControls = 2;

interface EncodingFound {
  /** The WHATWG name of the encoding. */
  encoding: string;
  /** Length of the byte order mark. */
  markBytes: number;
  /** Why it is uncertain. */
  guess?: EncodingGuess;
}

/** @throws SheetError when the beginning of a file shows that it isn't text */
export function refuseOtherThanText(head: Buffer): void {
  if (isOfExcel4(head)) throw legacyWorkbook();
  if (isSpreadsheetMarkup(head)) throw markup();
  if (markOf(head) || utf16Of(head)) return;
  if (looksLikeMarkup(head) || controls(head) > Math.max(fewControls, head.length / 100)) throw notATable();
}

/** @param declared the declared encoding; a byte order mark takes precedence @throws SheetError when there is none */
export async function encodingOf(bytes: Buffer, declared?: string): Promise<EncodingFound> {
  const mark = markOf(bytes);
  if (mark) return mark;
  const head = bytes.subarray(0, headBytes);
  refuseOtherThanText(head);
  const utf16 = utf16Of(head);
  if (declared !== undefined || utf16) return { encoding: declared ?? utf16!, markBytes: 0 };
  if (isUtf8(bytes)) return { encoding: hasEscapes(bytes) ? 'iso-2022-jp' : 'utf-8', markBytes: 0 };
  const sample = nonAsciiLines(bytes);
  if (looksLikeUtf8(sample)) throw notOfIts('utf-8', bytes);
  return { ...(await guessEncoding(bytes, sample)), markBytes: 0 };
}

/** The text in UTF-8, in chunks. @throws SheetError for bytes that are invalid in the encoding */
export function* utf8Pieces(bytes: Buffer, { encoding, markBytes }: EncodingFound): Generator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decoded = (piece?: Buffer) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: piece !== undefined }));
    } catch (error) {
      throw notOfIts(encoding, bytes.subarray(markBytes), error);
    }
  };
  const pieceBytes = 65_536;
  for (let at = markBytes; at < bytes.length; at += pieceBytes) yield decoded(bytes.subarray(at, at + pieceBytes));
  const rest = decoded();
  if (rest.length > 0) yield rest;
}

/** Before Excel 5 a workbook had no container, and started with its first record ([MS-XLS] 2.4.21). */
function isOfExcel4(head: Buffer): boolean {
  return (
    head[0] === 9 &&
    (head[1] === 0 || head[1] === 2 || head[1] === 4) &&
    (head[2] === 4 || head[2] === 6) &&
    head[3] === 0
  );
}

function markOf(bytes: Buffer): EncodingFound | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
}

/** Without a byte order mark: every other byte of ASCII text is zero. */
function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [even, odd] = zeros(head);
  const half = Math.floor(head.length / 2);
  if (odd > half / 2 && even < half / 20) return 'utf-16le';
  if (even > half / 2 && odd < half / 20) return 'utf-16be';
}

/** 7-bit Japanese (RFC 1468), which switches character sets by escape sequences. */
function hasEscapes(bytes: Buffer): boolean {
  return bytes.includes('\x1b$B') || bytes.includes('\x1b$@');
}

/** Other encodings rarely contain valid UTF-8 sequences. Many of them and few invalid bytes mean a corrupted file. */
function looksLikeUtf8(sample: Buffer): boolean {
  const text = new TextDecoder().decode(sample);
  const invalid = text.split('\uFFFD').length - 1;
  let right = -invalid;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) right++;
  return right > 1 && right > 4 * invalid;
}

function notOfIts(encoding: string, bytes: Buffer, cause?: unknown): SheetError {
  const [before = ''] = new TextDecoder(encoding).decode(bytes).split('\uFFFD', 1);
  const line = before.split('\n').length;
  const message = t`The file is in ${encoding}, but line ${line} has bytes that are not valid in it. Save it again as UTF-8.`;
  return new SheetError('damaged', message, {}, cause);
}

/** HTML and Excel 2003 XML, which programs often name .xls: Excel opens them with a warning. */
function isSpreadsheetMarkup(head: Buffer): boolean {
  const text = new TextDecoder(utf16Of(head) ?? 'latin1').decode(head).replace(/^(?:ï»¿|\ufeff)?\s*/, '');
  return /^<(?:!doctype html|html|table|meta|head|body|\?xml[^>]*>\s*(?:<\?mso-application[^>]*>\s*)?<(?:ss:)?workbook|workbook)\b/i.test(
    text,
  );
}

function markup(): SheetError {
  return new SheetError(
    'not_a_workbook',
    t`The file is a web page or XML under the name of a workbook. Open it with a spreadsheet program, and save it as an Excel workbook (xlsx).`,
  );
}

function notATable(): SheetError {
  return new SheetError(
    'not_a_workbook',
    t`The file is neither a workbook (xlsx, xls, xlsb or ods) nor a table of text (csv).`,
  );
}

function zeros(bytes: Buffer): [even: number, odd: number] {
  const count: [number, number] = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) count[at % 2 === 0 ? 0 : 1]++;
  return count;
}

function controls(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte < 9 || (byte > 13 && byte < 32 && byte !== escapeByte) || byte === 127) count++;
  return count;
}

const escapeByte = 27;
