// Reads workbooks with the package xlsx: one path per input line, one JSON result per output line. A separate process, because
// some files hang the package or exhaust memory.
import { createInterface } from 'node:readline';
import * as XLSX from 'xlsx';
import { compared, type FoundCell, type FoundSheet, maxOutputChars, type PeerResult, type Value } from './table.ts';

/** [MS-XLS] 2.5.10 */
const errors: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

for await (const path of createInterface({ input: process.stdin })) {
  const text = JSON.stringify(readWorkbook(path));
  process.stdout.write(text.length < maxOutputChars ? `${text}\n` : '{"fault":"too much to compare"}\n');
}

function readWorkbook(path: string): PeerResult {
  try {
    const book = XLSX.readFile(path, { dense: true, cellNF: true, cellText: false, cellHTML: false });
    const from1904 = book.Workbook?.WBProps?.date1904 === true;
    const names = book.SheetNames.filter((_, at) => !book.Workbook?.Sheets?.[at]?.Hidden);
    return { sheets: names.slice(0, compared.sheets).map((name) => sheetOf(name, book.Sheets[name]!, from1904)) };
  } catch (error) {
    return { fault: String((error as Error).message ?? error).slice(0, 200) };
  }
}

function sheetOf(name: string, sheet: XLSX.WorkSheet, from1904: boolean): FoundSheet {
  const cells: FoundCell[] = [];
  (sheet['!data'] ?? []).slice(0, compared.rows).forEach((row, at) => {
    row?.slice(0, compared.columns).forEach((cell, column) => {
      const value = cell && valueIn(cell, from1904);
      if (value) cells.push([at, column, ...value]);
    });
  });
  return { name, cells };
}

function valueIn({ t, v, z }: XLSX.CellObject, from1904: boolean): Value | undefined {
  if (t === 'e') return ['error', errors[Number(v)] ?? String(v)];
  if (v === undefined || v === '') return undefined;
  if (t === 'b') return ['boolean', Boolean(v)];
  if (t !== 'n') return ['text', String(v)];
  const format = typeof z === 'string' ? z.split(';')[0]! : '';
  return XLSX.SSF.is_date(format) ? dateOf(Number(v), from1904) : ['number', Number(v)];
}

function dateOf(serial: number, from1904: boolean): Value {
  const code = XLSX.SSF.parse_date_code(serial, { date1904: from1904 });
  if (!code) return ['number', serial];
  const two = (number: number) => String(number).padStart(2, '0');
  const ms = Math.round((code.u ?? 0) * 1_000);
  const time = `${two(code.H)}:${two(code.M)}:${two(code.S)}${ms > 0 ? `.${String(ms).padStart(3, '0')}` : ''}`;
  if (code.y === 1900 && code.m === 1 && code.d === 0) return ['date', time];
  const date = `${code.y}-${two(code.m)}-${two(code.d)}`;
  return ['date', time === '00:00:00' ? date : `${date}T${time}`];
}
