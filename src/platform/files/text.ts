/** Detects text in UTF-8, UTF-16, or an 8-bit encoding: it has no control characters, and every other format has some. */

/** Markup and scripts, whatever the file name: browsers and shells might execute them. */
const markup = /^(?:<[!?%]|<\/?[a-z][^<]{0,1000}>|#!|%!ps|%pdf-|\{\\rtf)/i;
const headCharacters = 2_048;

/** All but tab, line feed, vertical tab, form feed, carriage return, and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

export interface TextCheck {
  /** @returns false as soon as this is certainly not text */
  accepts(chunk: Buffer): boolean;
  /** Whether the text ends with a complete character. */
  ends(): boolean;
}

/** @param head the first bytes, which determine the encoding */
export function createTextCheck(head: Buffer): TextCheck {
  const encoding = utf16Of(head);
  if (!encoding) {
    return { accepts: (chunk) => !control.test(chunk.toString('latin1')), ends: () => true };
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decodes = (chunk?: Buffer) => {
    try {
      return !control.test(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      return false;
    }
  };
  return { accepts: decodes, ends: () => decodes() };
}

/** Whether the text starts like HTML, SVG, other XML, a script, or another kind of document. */
export function looksLikeMarkup(head: Buffer): boolean {
  const text = new TextDecoder(utf16Of(head) ?? 'utf-8').decode(head);
  return markup.test(text.slice(0, headCharacters).trimStart());
}

function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
}
