/** Columns by letter, as spreadsheet programs name them: 0 is A, 26 is AA. */

export function columnLetter(column: number): string {
  let letters = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters;
}

/** @returns -1 for what is no reference of a cell such as `AB12` */
export function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at++) {
    const code = reference.charCodeAt(at);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return at > 0 && at <= 3 ? column - 1 : -1;
}
