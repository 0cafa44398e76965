/** Escapes terminal control sequences: names come from untrusted users. */

/** Control characters and bidirectional formatting marks. */
const unsafe = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** @param text a single line */
export function printableLine(text: string): string {
  return text.replace(unsafe, escaped);
}

/** @param text may have several lines */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => (character === '\n' ? character : escaped(character)));
}

/** JSON escapes only some of these characters, but its parsers read all the escapes. */
export function jsonText(value: unknown, indent?: number): string {
  return printable(JSON.stringify(value, null, indent));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
