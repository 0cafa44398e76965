/** Other workbook formats: the same table gives the same rows. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import type { ReadAlone } from '../../../runner/read-alone.ts';
import { type Cells, kinds, manyRows, written } from '../other-workbooks.ts';
import { readAll, refusal } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const text = (v: string) => ({ t: 's' as const, v });
const number = (v: number, z?: string) => ({ t: 'n' as const, v, ...(z && { z }) });
const yes = (v: boolean) => ({ t: 'b' as const, v });
const error = (v: number) => ({ t: 'e' as const, v });

/** Limited to what the package can write in every format; its xls texts have at most 255 characters. */
const people: Cells = [
  ['Text', 'Number', 'Date', 'When', 'Time', 'Yes', 'Part', 'Code', 'Money'].map(text),
  [text('João <Silva> & "co"'), number(1234.56), number(46083, 'yyyy-mm-dd'), number(46083.354166666664, 'm/d/yy h:mm'), number(0.25, 'h:mm:ss'), yes(true), number(0.125, '0.0%'), number(123, '00000'), number(1e6, '#,##0.00'), number(12, '"EMP-"0000')],
  [],
  [text('line\nbreak  two'), number(-1), number(59, 'd-mmm-yy'), number(61, 'm/d/yy'), number(0.999988425925926, 'h:mm:ss'), yes(false), number(1e-7), text('007'), number(434.99999999999994)],
  [text(' spaces '), undefined, undefined, undefined, undefined, undefined, undefined, undefined, text('日本語 👩‍💻')],
  [text("'=1+1"), number(5_511_912_345_678), number(2_958_465, 'yyyy-mm-dd'), text('x'.repeat(250))],
  [text('é'.repeat(200)), number(0), undefined, undefined, undefined, yes(true)],
]; // biome-ignore format: rows
const errors: Cells = [
  [text('Errors')],
  [error(0x2a), error(0x07), number(-1, 'd/m/yyyy'), number(2_958_466, 'yyyy-mm-dd')],
];

describe.each(kinds)('%s', (kind) => {
  test('reads every cell type as in xlsx', async () => {
    const { rows } = await readAll(reader, written('xlsx', { People: people }));
    expect(rows).toHaveLength(6);
    const { info, rows: same } = await readAll(reader, written(kind, { People: people }));
    expect(same).toEqual(rows);
    expect(info).toEqual({ format: kind, sheet: 'People', sheets: ['People'], from1904: false });
    expect(same[1]!.cells).toEqual(['João <Silva> & "co"', 1234.56, '2026-03-02', '2026-03-02T08:30:00', '06:00:00', true, '12.5%', '00123', 1_000_000, 'EMP-0012']);
    expect(same.at(-2)!.cells[0]).toBe('=1+1');
  }); // biome-ignore format: short

  test('reads the named sheet, or the first', async () => {
    const file = written(kind, { Öne: [[text('a')]], Two: [[text('b')], [], [number(7)]] });
    const { info, rows } = await readAll(reader, file);
    expect([info.sheet, info.sheets, rows]).toEqual(['Öne', ['Öne', 'Two'], [{ row: 1, cells: ['a'] }]]);
    const two = await readAll(reader, file, { sheet: 'Two' });
    expect(two.rows).toEqual([{ row: 1, cells: ['b'] }, { row: 3, cells: [7] }]);
    expect(await refusal(reader, file, { sheet: 'Three' })).toMatchObject({ code: 'no_sheet' });
  }); // biome-ignore format: short

  test('an empty sheet has no rows', async () => {
    expect((await readAll(reader, written(kind, { People: [[]] }))).rows).toEqual([]);
  });

  test('has the same limits for rows, columns, and texts', async () => {
    const file = written(kind, { People: [['a', 'b', 'c'].map(text), [number(1)], [text('long')]] });
    const limited = (limits: object) => refusal(reader, file, { limits });
    expect(await limited({ rows: 2 })).toMatchObject({ code: 'too_many_rows', details: { limit: 2 } });
    expect(await limited({ columns: 2 })).toMatchObject({
      code: 'too_many_columns',
      details: { row: 1, column: 'C', limit: 2 },
    });
    expect(await limited({ cell_chars: 3 })).toMatchObject({
      code: 'cell_too_long',
      details: { row: 3, column: 'A', limit: 3 },
    });
    expect(await limited({ row_chars: 2 })).toMatchObject({ code: 'cell_too_long', details: { row: 1, limit: 2 } });
    expect(await limited({ textChars: 6 })).toMatchObject({ code: 'expands_too_much', details: { limit: 6 } });
    expect((await readAll(reader, file, { limits: { rows: 3, columns: 3, cell_chars: 4, row_chars: 4, textChars: 7 } })).rows).toHaveLength(3);
  }); // biome-ignore format: short

  test('returns many rows from several parts in order', async () => {
    const { rows } = await readAll(reader, await manyRows(kind, 600, 40));
    expect(rows).toHaveLength(600);
    const isRight = (cells: readonly unknown[], row: number) => cells.every((cell, at) => cell === row * 40 + at);
    expect(rows.every(({ row, cells }, at) => row === at + 1 && cells.length === 40 && isRight(cells, at))).toBe(true);
  });
});

describe.each(['xls', 'xlsb'] as const)('dates and errors in %s', (kind) => {
  test('reads dates counted from 1904', async () => {
    const { rows } = await readAll(reader, written('xlsx', { People: people }, true));
    expect(rows[1]!.cells[2]).toBe('2030-03-03');
    expect((await readAll(reader, written(kind, { People: people }, true))).rows).toEqual(rows);
  });

  test('reports errors and impossible dates', async () => {
    const { rows } = await readAll(reader, written('xlsx', { People: errors }));
    expect(rows[1]!.problems!.map(({ code }) => code)).toEqual(['cell_error', 'cell_error', 'date_out_of_range', 'date_out_of_range']);
    expect((await readAll(reader, written(kind, { People: errors }))).rows).toEqual(rows);
  }); // biome-ignore format: short
});

test('dates don’t depend on the time zone of the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheets-'));
  const paths = kinds.map((kind) => join(folder, `people.${kind}`));
  await Promise.all(kinds.map((kind, at) => writeFile(paths[at]!, written(kind, { People: people }))));
  const script = fileURLToPath(new URL('../../../runner/read-alone.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths], {
    env: { ...process.env, TZ: 'America/Sao_Paulo' },
  });
  const { results } = JSON.parse(stdout) as ReadAlone;
  const { rows } = await readAll(reader, written('xlsx', { People: people }));
  for (const result of results) expect(result.rows).toEqual(rows);
  await rm(folder, { recursive: true });
});
