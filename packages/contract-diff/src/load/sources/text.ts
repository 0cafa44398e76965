// Decodes bytes, and rejects anything but text before parsing.
import { CannotCompare } from '../../model/cannot-compare.ts';

/**
 * Decodes a file: UTF-8, or UTF-16 with a byte order mark.
 * @param name file name for error messages
 * @throws CannotCompare when the file is empty or not text
 */
export function textOfBytes(bytes: Uint8Array, name: string): string {
  if (bytes.length === 0) throw new CannotCompare(`${name} is empty.`);
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff && 'utf-16be';
  let text: string;
  try {
    text = new TextDecoder(marked || 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CannotCompare(`${name} is not a text in UTF-8.`);
  }
  if (text.includes('\0')) throw new CannotCompare(`${name} is a binary file, not a text.`);
  if (text.trim() === '') throw new CannotCompare(`${name} is empty.`);
  return text;
}

/** Decodes a reference's path; an invalid percent-encoding is taken literally. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The error for a file above the size limit. */
export const tooLarge = (name: string, maxBytes: number, bytes?: number): CannotCompare =>
  new CannotCompare(
    `${name} is larger than ${megabytes(maxBytes)} MB${bytes === undefined ? '' : ` (${megabytes(bytes)} MB)`}; --max-size allows more.`,
  );

const megabytes = (bytes: number): string =>
  String(bytes < 100_000 ? Number((bytes / 1e6).toPrecision(1)) : Math.round(bytes / 100_000) / 10);
