/** Decodes base64 files (RFC 4648, section 4) in chunks, to avoid another copy of the whole text. */

/** A multiple of four, so that chunks decode to whole bytes. */
const pieceCharacters = 65_536;

export class InvalidBase64 extends Error {
  override name = 'InvalidBase64';
}

const backslash = 0x5c;
const slash = 0x2f;

/**
 * @param text raw JSON string bytes, in which slashes may be escaped, or the decoded string
 * @throws InvalidBase64 while streaming; padding is optional
 */
export function* decodeBase64(text: Buffer | string): Generator<Buffer> {
  let rest = Buffer.alloc(0);
  for (let at = 0; at < text.length; at += pieceCharacters) {
    const isLast = at + pieceCharacters >= text.length;
    const plain = plainPiece(rest, text, at);
    const whole = plain.length - (plain.at(-1) === backslash ? 1 : 0);
    const end = isLast ? plain.length : whole - (whole % 4);
    yield decoded(plain.toString('latin1', 0, end), isLast);
    rest = plain.subarray(end);
  }
}

function plainPiece(rest: Buffer, text: Buffer | string, at: number): Buffer<ArrayBuffer> {
  const to = at + pieceCharacters;
  // In UTF-8, no other character has bytes of the base64 alphabet.
  if (typeof text === 'string') return Buffer.concat([rest, Buffer.from(text.slice(at, to))]);
  return unescaped(Buffer.concat([rest, text.subarray(at, to)]));
}

/** Unescapes in place, byte by byte: a text replacement takes ten times as long on megabytes of escaped slashes. */
function unescaped(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const first = bytes.indexOf(backslash);
  if (first < 0) return bytes;
  let to = first;
  for (let at = first; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === backslash && bytes[at + 1] === slash) continue;
    bytes[to++] = byte;
  }
  return bytes.subarray(0, to);
}

/** The decoder ignores invalid characters, so the result is encoded again and compared. */
function decoded(characters: string, isLast: boolean): Buffer {
  const bytes = Buffer.from(characters, 'base64');
  const reencoded = bytes.toString('base64');
  if (isLast ? unpadded(reencoded) !== unpadded(characters) : reencoded !== characters || reencoded.endsWith('=')) {
    throw new InvalidBase64('this is not base64');
  }
  return bytes;
}

/** Without a regular expression, which on megabytes may overflow the stack or take too long. */
function unpadded(text: string): string {
  if (text.endsWith('==')) return text.slice(0, -2);
  return text.endsWith('=') ? text.slice(0, -1) : text;
}
