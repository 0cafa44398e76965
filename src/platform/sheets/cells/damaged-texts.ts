/** What programs leave in cells instead of a text: their words for nothing, their errors, and texts they have spoiled. */

/**
 * What stands for an empty cell in exports of databases, R, pandas and people. `NA` is empty in capitals only: people are
 * called Na.
 */
const placeholder =
  /^(?:NULL|null|Null|[(<[]null[)>\]]|NA|N\/A|n\/a|N\.A\.|n\.a\.|N\/D|n\/d|NaN|nan|NAN|NaT|None|\\N|[-–—]+|\?+)$/;

export function isPlaceholder(text: string): boolean {
  return text.length <= 10 && placeholder.test(text.trim());
}

/** Errors of formulas in Excel's English, Portuguese, Spanish, German and French, and a column that was too narrow. */
const cellError =
  /^#(?:#+|(?:REF|VALUE|¡?VALOR|WERT|VALEUR|DIV\/0|¡DIV\/0|¡?REF|BEZUG|¡?NUM|ZAHL|NOMBRE|NULL|¡?NULO|NUL|SPILL|DESPEJAR|DESBORDAMIENTO|ÜBERLAUF|PROPAGATION|CALC|BUSY|FIELD|BLOCKED|CONNECT|UNKNOWN)!|(?:NAME|NOME|¿NOMBRE|NOM)\?|N\/A|N\/D|NV|GETTING_DATA|ERROR!?)$/iu;

export function isCellError(text: string): boolean {
  return text.charCodeAt(0) === hash && text.length <= 20 && cellError.test(text.trim());
}

const hash = 0x23;

/** Digits that a program keeps a text for Excel: `="00123"`, or in quotes that are part of the cell. */
export function unquoted(text: string): string {
  const [, inner] = /^=?\s*"((?:[^"]|"")*)"$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** Digits that a spreadsheet has shortened when it saved them: `5,51199E+12`. */
export function isScientific(text: string): boolean {
  return /^[+-]?\d(?:[.,]\d+)?E\+\d{1,3}$/i.test(text.trim());
}

/** Spreadsheets keep fifteen digits of a number; from here on the others are zeros. */
export const firstInexact = 1e15;

/** Bytes of windows-1252 by the character that it has for them; the undefined ones are those of iso-8859-1. */
const bytes1252 = new Map<string, number>();
const decoder1252 = new TextDecoder('windows-1252');
for (let byte = 0x80; byte <= 0xff; byte++) bytes1252.set(decoder1252.decode(Uint8Array.of(byte)), byte);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns the text whose UTF-8 was read as windows-1252, once or twice; undefined when it is not such a text */
export function decodedAgain(text: string): string | undefined {
  if (!/[Â-ô][\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/.test(text)) return undefined;
  const bytes: number[] = [];
  for (const letter of text) {
    const byte = letter < '\x80' ? letter.charCodeAt(0) : bytes1252.get(letter);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    const once = utf8.decode(Uint8Array.from(bytes));
    return decodedAgain(once) ?? once;
  } catch {
    return undefined;
  }
}

/** Whether letters were lost: what a program puts in the place of bytes that it can't read. */
export function hasLostLetters(text: string): boolean {
  return text.includes('\ufffd');
}
