// Texts in XML, HTML, and Markdown.

/** Characters that XML 1.0 allows below the blank: tabulator and line ends. */
const allowed = new Set(['\t', '\n', '\r']);

/** A text as it is written between tags and in attributes. What no document of XML may hold becomes a replacement character. */
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

/** A text in Markdown, in one line: a line of its own could begin a heading or a list. Code stays as it is. */
export const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[<>&|*_[\]]/g, (letter) => entities[letter] ?? `\\${letter}`),
    )
    .join('');

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
