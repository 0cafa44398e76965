/**
 * Keeps texts from being run as formulas by the program that opens an export, in such a way that the importer can take it
 * back exactly: an apostrophe goes in front of a text that would begin a formula, and also in front of one that looks as
 * if it had got one. `neutralise` never gives the same text for two texts, and `restore` is its inverse.
 */

/** What begins a formula, in Excel, LibreOffice or Google Sheets: also behind white space, and in its full-width forms. */
const formulaStart = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;
const beginsControl = /^'*[\t\r\n\0]/;
const neutralised = /^'+(?:[\t\r\n\0]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;

export function neutralise(text: string): string {
  return beginsFormula(text) ? `'${text}` : text;
}

/** The text as it was before `neutralise`; any other text as it is. */
export function restore(text: string): string {
  return text.charCodeAt(0) === apostrophe && neutralised.test(text) ? text.slice(1) : text;
}

/**
 * Phone numbers in their international form begin with a plus. In a workbook, where a cell says itself that it is a text,
 * nothing can come of them, and people want to read them as they are.
 */
export function isPlainPhone(text: string): boolean {
  return text.charCodeAt(0) === plus && /^\+[0-9 ().-]{3,39}$/.test(text);
}

const apostrophe = 0x27;
const plus = 0x2b;

function beginsFormula(text: string): boolean {
  const first = text.charCodeAt(0);
  const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a);
  if (isLetter || (first >= 0x30 && first <= 0x39)) return false; // most texts
  return formulaStart.test(text) || beginsControl.test(text);
}
