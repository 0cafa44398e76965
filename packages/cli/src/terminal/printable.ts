/** What a terminal obeys instead of showing it is printed as an escape: names in a company come from anybody. */

/** Controls, and marks that turn the direction of a text around. */
const unsafe = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** @param text of one line */
export function printableLine(text: string): string {
  return text.replace(unsafe, escaped);
}

/** @param text whose line feeds end its lines */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => (character === '\n' ? character : escaped(character)));
}

/** JSON escapes some of these characters itself, and reads the escapes of all. */
export function jsonText(value: unknown, indent?: number): string {
  return printable(JSON.stringify(value, null, indent));
}

/** As JSON writes it. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
