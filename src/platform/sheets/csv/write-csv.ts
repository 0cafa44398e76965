/** Writes csv that Excel opens by double-click: UTF-8 with a byte order mark, and Windows line endings. */
import { Readable } from 'node:stream';
import { escapeFormula } from '../model/formula-escape.ts';
import type { Sheet } from '../model/sheet.ts';
import type { Cell } from '../model/types.ts';

/** @param delimiter a semicolon implies decimal commas, as in Excel's locales */
export function writeCsv(sheet: Pick<Sheet, 'columns' | 'groups'>, delimiter = ','): Readable {
  return Readable.from(csvOf(sheet, delimiter), { objectMode: false, highWaterMark: 65_536 });
}

async function* csvOf(
  { columns, groups }: Pick<Sheet, 'columns' | 'groups'>,
  delimiter: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${columns.map(({ header }) => cellText(header, delimiter)).join(delimiter)}\r\n`);
  for await (const group of groups) {
    let text = '';
    for (const cells of group) {
      for (let at = 0; at < columns.length; at++)
        text += (at > 0 ? delimiter : '') + cellText(cells[at] ?? null, delimiter);
      text += '\r\n';
    }
    if (text !== '') yield Buffer.from(text);
  }
}

/** Only texts can be formulas: a negative number stays a number. */
function cellText(cell: Cell, delimiter: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberText(cell, delimiter === ';' ? ',' : '.');
  if (typeof cell !== 'string') return String(cell);
  const text = escapeFormula(cell);
  return /[",;\t|\r\n]|^\s|\s$|^sep=/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Three decimals after few digits look like thousands; another zero makes them unambiguous. */
function numberText(cell: number, decimal: string): string {
  const text = String(cell);
  return (/^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text).replace('.', decimal);
}
