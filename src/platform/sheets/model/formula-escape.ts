/**
 * Escapes texts that a spreadsheet would run as formulas, reversibly: an apostrophe is prepended to a text that starts a formula,
 * and to one that looks escaped already. `escapeFormula` is injective, and `restore` is its inverse.
 */

/** Starts a formula in Excel, LibreOffice, or Google Sheets, also after white space and in full-width forms. */
const formulaStart = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;
const beginsControl = /^'*[\t\r\n\0]/;
const neutralised = /^'+(?:[\t\r\n\0]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;

export function escapeFormula(text: string): string {
  return beginsFormula(text) ? `'${text}` : text;
}

/** Inverts `escapeFormula`; other texts are unchanged. */
export function restore(text: string): string {
  return text.charCodeAt(0) === apostrophe && neutralised.test(text) ? text.slice(1) : text;
}

/** International phone numbers. Harmless in a workbook, where a cell declares itself as text, so people see them unchanged. */
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
