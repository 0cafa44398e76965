/**
 * The encoding of a csv file, which says nothing about it: by its mark, by its zeros, or by whether it is UTF-8. What is
 * neither is in the 8-bit encoding that office programs write in the Americas and western Europe.
 */
import { isUtf8 } from 'node:buffer';
import { looksLikeMarkup } from '../files/text.ts';
import { SheetError } from './error.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const look_at_bytes = 8_192;

interface EncodingFound {
  encoding: Encoding;
  /** Bytes of the mark in front. */
  mark_bytes: number;
}

/** @throws SheetError when the bytes are no text */
export function encodingOf(bytes: Buffer): EncodingFound {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', mark_bytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', mark_bytes: 2 };
  const head = bytes.subarray(0, look_at_bytes);
  const [even, odd] = zeros(head);
  const half = Math.floor(head.length / 2);
  if (bytes.length % 2 === 0 && odd > half / 2 && even < half / 20) return { encoding: 'utf-16le', mark_bytes: 0 };
  if (bytes.length % 2 === 0 && even > half / 2 && odd < half / 20) return { encoding: 'utf-16be', mark_bytes: 0 };
  if (bytes.includes(0) || looksLikeMarkup(head)) throw notATable();
  if (isUtf8(bytes)) {
    const has_mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return { encoding: 'utf-8', mark_bytes: has_mark ? 3 : 0 };
  }
  if (controls(head) > head.length / 100) throw notATable();
  return { encoding: 'windows-1252', mark_bytes: 0 };
}

/** The text in UTF-8, in pieces. */
export function* utf8Pieces(bytes: Buffer, { encoding, mark_bytes }: EncodingFound): Generator<Buffer> {
  const piece_bytes = 65_536;
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  for (let at = mark_bytes; at < bytes.length; at += piece_bytes) {
    const piece = bytes.subarray(at, at + piece_bytes);
    yield decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece;
  }
  const rest = decoder?.decode();
  if (rest) yield Buffer.from(rest);
}

function notATable(): SheetError {
  return new SheetError(
    'not_a_workbook',
    'The file is neither a workbook (xlsx, xls, xlsb or ods) nor a table of text (csv).',
  );
}

function zeros(bytes: Buffer): [even: number, odd: number] {
  const count: [number, number] = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) count[at % 2 === 0 ? 0 : 1]++;
  return count;
}

function controls(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte < 9 || (byte > 13 && byte < 32) || byte === 127) count++;
  return count;
}
