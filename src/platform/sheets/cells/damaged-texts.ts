/** Detects placeholders for empty cells, spreadsheet errors, and texts that programs have corrupted. */

/** Placeholders used by databases, R, pandas, and people. `NA` counts only in capitals: Na is a name. */
const placeholder =
  /^(?:NULL|null|Null|[(<[]null[)>\]]|NA|N\/A|n\/a|N\.A\.|n\.a\.|N\/D|n\/d|NaN|nan|NAN|NaT|None|\\N|[-–—]+|\?+)$/;

export function isPlaceholder(text: string): boolean {
  return text.length <= 10 && placeholder.test(text.trim());
}

/** Formula errors in Excel's English, Portuguese, Spanish, German, and French, and a column that was too narrow. */
const cellError =
  /^#(?:#+|(?:REF|VALUE|¡?VALOR|WERT|VALEUR|DIV\/0|¡DIV\/0|¡?REF|BEZUG|¡?NUM|ZAHL|NOMBRE|NULL|¡?NULO|NUL|SPILL|DESPEJAR|DESBORDAMIENTO|ÜBERLAUF|PROPAGATION|CALC|BUSY|FIELD|BLOCKED|CONNECT|UNKNOWN)!|(?:NAME|NOME|¿NOMBRE|NOM)\?|N\/A|N\/D|NV|GETTING_DATA|ERROR!?)$/iu;

export function isCellError(text: string): boolean {
  return text.charCodeAt(0) === hash && text.length <= 20 && cellError.test(text.trim());
}

const hash = 0x23;

/** Removes protection of text from Excel: `="00123"`, or quotes inside the cell. */
export function unquoted(text: string): string {
  const [, inner] = /^=?\s*"((?:[^"]|"")*)"$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** Digits that a spreadsheet lost when saving: `5,51199E+12`. */
export function isScientific(text: string): boolean {
  return /^[+-]?\d(?:[.,]\d+)?E\+\d{1,3}$/i.test(text.trim());
}

/** Spreadsheets keep 15 digits of a number; beyond this value, the last ones are zeros. */
export const firstInexact = 1e15;

/** Bytes of windows-1252 by character; undefined ones as in iso-8859-1. */
const bytes1252 = new Map<string, number>();
const decoder1252 = new TextDecoder('windows-1252');
for (let byte = 0x80; byte <= 0xff; byte++) bytes1252.set(decoder1252.decode(Uint8Array.of(byte)), byte);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Repairs mojibake. @returns the text whose UTF-8 was decoded as windows-1252, once or twice; undefined for other texts */
export function repairMojibake(text: string): string | undefined {
  if (!/[Â-ô][\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/.test(text)) return undefined;
  const bytes: number[] = [];
  for (const letter of text) {
    const byte = letter < '\x80' ? letter.charCodeAt(0) : bytes1252.get(letter);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    const once = utf8.decode(Uint8Array.from(bytes));
    return repairMojibake(once) ?? once;
  } catch {
    return undefined;
  }
}

/** Whether letters were replaced because they couldn't be decoded. */
export function hasReplacedLetters(text: string): boolean {
  return text.includes('\ufffd');
}
