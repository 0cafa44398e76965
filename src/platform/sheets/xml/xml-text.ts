/** Escapes texts for XML elements and attributes, including characters that XML doesn't allow, as workbooks write them. */

/** Reserved characters, characters that XML forbids or changes, and texts that look like an escape. */
const special =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  /[&<>"]|[\0-\x08\x0b-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|_(?=x[0-9a-fA-F]{4}_)/g;
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A fast check: most texts need no escaping. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const suspect = /[&<>"\0-\x1f\ud800-\udfff\ufffe\uffff]|_x/;

export function xmlText(text: string): string {
  if (!suspect.test(text)) return text;
  return text.replace(special, (character) => named[character] ?? escapeCharacter(character));
}

function escapeCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
