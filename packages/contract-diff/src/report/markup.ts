// Escaping for XML, HTML, and Markdown.

/** Control characters that XML 1.0 allows: tab and line breaks. */
const allowed = new Set(['\t', '\n', '\r']);

/** Escapes text for elements and attributes. Replaces characters that XML forbids. */
export const markup = (text: string): string =>
  [...text]
    .map((letter) => {
      const code = letter.codePointAt(0)!;
      const bad = (code < 0x20 && !allowed.has(letter)) || (code >= 0xd800 && code <= 0xdfff) || (code | 1) === 0xffff;
      return bad ? '\u{fffd}' : letter;
    })
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * Escapes text for Markdown, as a single line that starts no heading or list. Code in single backticks stays as it is. All other
 * backticks are escaped, so that Markdown finds the same code.
 */
export const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .split(/((?<![`\\])`[^`]+`(?!`))/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[\\`<>&|*_~[\]]/g, (letter) => entities[letter] ?? `\\${letter}`),
    )
    .join('')
    .replace(/^( ?\d*)([-#+=.)])/, '$1\\$2');

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
