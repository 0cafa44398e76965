// Bytes as text: what is no text is told before it is parsed.
import { CannotCompare } from '../../model/cannot-compare.ts';

/**
 * The text of a file: UTF-8, or UTF-16 with its mark.
 *
 * @param name the file's name, for the message
 * @throws CannotCompare when the file is empty, or holds something else
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

/** A reference's path without percent signs; one that is no percent-encoding is meant as it stands. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Says that a file is larger than is read. */
export const tooLarge = (name: string, maxBytes: number, bytes?: number): CannotCompare =>
  new CannotCompare(
    `${name} is larger than ${megabytes(maxBytes)} MB${bytes === undefined ? '' : ` (${megabytes(bytes)} MB)`}; --max-size allows more.`,
  );

const megabytes = (bytes: number): string => String(Math.round(bytes / 100_000) / 10);
