/** Files in base64 (RFC 4648, section 4), decoded piece by piece, so that none is there as one more text. */

/** A multiple of four characters, as are the bytes that they stand for. */
const piece_characters = 65_536;

export class InvalidBase64 extends Error {
  override name = 'InvalidBase64';
}

/**
 * @param text as it stands in JSON, where a slash may be escaped
 * @throws InvalidBase64, in the middle, for what is not base64; padding may be left out
 */
export function* decodeBase64(text: Buffer | string): Generator<Buffer> {
  let rest = '';
  for (let at = 0; at < text.length; at += piece_characters) {
    const is_last = at + piece_characters >= text.length;
    const characters = rest + sliceOf(text, at, at + piece_characters);
    const plain = characters.includes('\\') ? characters.replaceAll('\\/', '/') : characters;
    const whole = plain.length - (plain.endsWith('\\') ? 1 : 0);
    const end = is_last ? plain.length : whole - (whole % 4);
    yield decoded(plain.slice(0, end), is_last);
    rest = plain.slice(end);
  }
}

function sliceOf(text: Buffer | string, from: number, to: number): string {
  return typeof text === 'string' ? text.slice(from, to) : text.toString('latin1', from, to);
}

/** Decoding overlooks what does not belong there, so it is compared. */
function decoded(characters: string, is_last: boolean): Buffer {
  const bytes = Buffer.from(characters, 'base64');
  const again = bytes.toString('base64');
  if (is_last ? unpadded(again) !== unpadded(characters) : again !== characters || again.endsWith('=')) {
    throw new InvalidBase64('this is not base64');
  }
  return bytes;
}

/** Without a pattern: on a text of megabytes one may run out of stack, or of time. */
function unpadded(text: string): string {
  if (text.endsWith('==')) return text.slice(0, -2);
  return text.endsWith('=') ? text.slice(0, -1) : text;
}
