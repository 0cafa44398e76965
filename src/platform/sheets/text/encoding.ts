/**
 * The encoding of a csv file, which says nothing about it: by its mark, by its zeros, or by whether it is UTF-8. What is
 * none of these is in one of the older encodings, which is said by whoever sends the file, or guessed.
 */
import { isUtf8 } from 'node:buffer';
import { say } from '../../../contract/languages/text.ts';
import { looksLikeMarkup } from '../../files/text.ts';
import { legacyWorkbook, SheetError } from '../model/error.ts';
import type { EncodingGuess } from '../model/types.ts';
import { foreignLines, guessEncoding } from './guess-encoding.ts';

const lookAtBytes = 8_192;
/** So few do not make of text something else: a program has let them slip in. */
const fewControls = 2;

interface EncodingFound {
  /** By the name that the encoding standard of the web has for it. */
  encoding: string;
  /** Bytes of the mark in front. */
  markBytes: number;
  /** Why it is not certain. */
  guess?: EncodingGuess;
}

/** @throws SheetError when the beginning of a file shows that it is no text */
export function refuseOtherThanText(head: Buffer): void {
  if (isOfExcel4(head)) throw legacyWorkbook();
  if (isSpreadsheetMarkup(head)) throw markup();
  if (markOf(head) || utf16Of(head)) return;
  if (looksLikeMarkup(head) || controls(head) > Math.max(fewControls, head.length / 100)) throw notATable();
}

/**
 * @param said by whoever sent the file; a mark in front is stronger
 * @throws SheetError when the bytes are no text, or in no encoding that can be told
 */
export async function encodingOf(bytes: Buffer, said?: string): Promise<EncodingFound> {
  const mark = markOf(bytes);
  if (mark) return mark;
  const head = bytes.subarray(0, lookAtBytes);
  refuseOtherThanText(head);
  const wide = utf16Of(head);
  if (said !== undefined || wide) return { encoding: said ?? wide!, markBytes: 0 };
  if (isUtf8(bytes)) return { encoding: hasEscapes(bytes) ? 'iso-2022-jp' : 'utf-8', markBytes: 0 };
  const sample = foreignLines(bytes);
  if (looksLikeUtf8(sample)) throw notOfIts('utf-8', bytes);
  return { ...(await guessEncoding(bytes, sample)), markBytes: 0 };
}

/**
 * The text in UTF-8, in pieces.
 * @throws SheetError where there are bytes that mean nothing in the encoding
 */
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

/** Before Excel 5 a workbook was not in a container, and began with its first record ([MS-XLS] 2.4.21). */
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

/** Without a mark: every other byte of what is written with ASCII is a zero. */
function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [even, odd] = zeros(head);
  const half = Math.floor(head.length / 2);
  if (odd > half / 2 && even < half / 20) return 'utf-16le';
  if (even > half / 2 && odd < half / 20) return 'utf-16be';
}

/** Japanese in seven bits (RFC 1468): escape sequences say which characters come next. */
function hasEscapes(bytes: Buffer): boolean {
  return bytes.includes('\x1b$B') || bytes.includes('\x1b$@');
}

/**
 * Text in another encoding has hardly any sequence of bytes as UTF-8 has them. What has many of them, and few other
 * bytes, was broken on its way, and would be nonsense in any other encoding.
 */
function looksLikeUtf8(sample: Buffer): boolean {
  const text = new TextDecoder().decode(sample);
  const wrong = text.split('\uFFFD').length - 1;
  let right = -wrong;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) right++;
  return right > 1 && right > 4 * wrong;
}

function notOfIts(encoding: string, bytes: Buffer, cause?: unknown): SheetError {
  const [before = ''] = new TextDecoder(encoding).decode(bytes).split('\uFFFD', 1);
  const line = before.split('\n').length;
  const message = say`The file is in ${encoding}, but line ${line} has bytes that mean nothing in it. Save it again as UTF-8.`;
  return new SheetError('damaged', message, {}, cause);
}

/** HTML and the XML of Excel 2003, which programs like to call .xls: Excel opens them with a warning. */
function isSpreadsheetMarkup(head: Buffer): boolean {
  const text = new TextDecoder(utf16Of(head) ?? 'latin1').decode(head).replace(/^(?:ï»¿|\ufeff)?\s*/, '');
  return /^<(?:!doctype html|html|table|meta|head|body|\?xml[^>]*>\s*(?:<\?mso-application[^>]*>\s*)?<(?:ss:)?workbook|workbook)\b/i.test(
    text,
  );
}

function markup(): SheetError {
  return new SheetError(
    'not_a_workbook',
    say`The file is a web page or XML under the name of a workbook. Open it with a spreadsheet program, and save it as an Excel workbook (xlsx).`,
  );
}

function notATable(): SheetError {
  return new SheetError(
    'not_a_workbook',
    say`The file is neither a workbook (xlsx, xls, xlsb or ods) nor a table of text (csv).`,
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
