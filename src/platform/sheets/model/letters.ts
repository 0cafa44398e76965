/** Column letters, as in spreadsheets: 0 is A, 26 is AA. */

export function columnLetter(column: number): string {
  let letters = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters;
}

/** @returns -1 if the text doesn't start like a cell reference: `AB12`, also `ab12` or `$AB$12` */
export function columnOf(reference: string): number {
  let column = 0;
  let letters = 0;
  for (let at = reference.charCodeAt(0) === dollar ? 1 : 0; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~0x20; // in upper case
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
    letters++;
  }
  return letters > 0 && letters <= 3 ? column - 1 : -1;
}

/** @returns the reference's row, counted from 1; -1 if the text doesn't end like a cell reference */
export function rowOf(reference: string): number {
  let row = 0;
  let at = reference.length;
  for (let placeValue = 1; at > 0; placeValue *= 10) {
    const digit = reference.charCodeAt(at - 1) - 48;
    if (digit < 0 || digit > 9) break;
    row += digit * placeValue;
    at--;
  }
  const last = reference.charCodeAt(at - 1);
  const isBehindLetters = last === dollar ? at > 1 : (last & ~0x20) >= 65 && (last & ~0x20) <= 90;
  return row > 0 && isBehindLetters ? row : -1;
}

const dollar = 0x24;
