import type { Cell } from '../../../src/platform/sheets/model/types.ts';
import { dateErrorOf, readDateColumn } from '../../../src/product/imports/rows/columns/date-columns.ts';

type Meant = Parameters<typeof readDateColumn>[2];

/** @returns the resulting cells and the reported problems */
async function read(cells: Cell[], meant: Partial<Meant> = {}) {
  const rows = cells.map((cell, at) => ({ row: at + 2, cells: [cell] }));
  const {
    order,
    warnings,
    error: message,
  } = await readDateColumn(rows, 0, {
    order: undefined,
    isConfirmed: true,
    from1904: false,
    ...meant,
  });
  return {
    cells: rows.map((row) => row.cells[0]),
    order,
    codes: warnings.map(({ code }) => code),
    message: message?.translate('en'),
  };
}

test('a single possible order is used if confirmed, else an error', async () => {
  const cells = ['03/02/2024', null, '29/02/2024', '2024-05-06', '3 Mar 2024'];
  expect(await read(cells)).toEqual({
    cells: ['2024-02-03', null, '2024-02-29', '2024-05-06', '2024-03-03'],
    order: 'dmy',
    codes: ['date_order'],
    message: undefined,
  });
  const direct = await read(cells, { isConfirmed: false });
  expect(direct).toMatchObject({ cells, order: null, codes: [] });
  expect(direct.message).toBe(
    'Every value is a valid date only when read with the day first: 29/02/2024 is 2024-02-29. Confirm it: send the file with `dry_run`, check the result and commit it, or set `date_order`.',
  );
});

test('two possible orders are an error that shows both readings until one is chosen', async () => {
  const found = await read(['03/02/2024', '04/05/2024']);
  expect(found.message).toBe(
    'The dates can be read in more than one way: 03/02/2024 in row 2 is 2024-02-03 with the day first, and 2024-03-02 with the month first. Say which with `date_order`.',
  );
  expect(await read(['03/02/2024', '04/05/2024'], { order: 'mdy', isConfirmed: false })).toEqual({
    cells: ['2024-03-02', '2024-04-05'],
    order: 'mdy',
    codes: [],
    message: undefined,
  });
  expect((await read(['03/02/24', '31/01/24'])).cells).toEqual(['2024-02-03', '2024-01-31']);
});

test('two possible orders with the same result need no question', async () => {
  expect(await read(['03/03/2024', '04/04/2024'], { isConfirmed: false })).toEqual({
    cells: ['2024-03-03', '2024-04-04'],
    order: null,
    codes: [],
    message: undefined,
  });
});

test('conflicting orders are an error that names two dates, and an impossible date is an error of its row', async () => {
  expect((await read(['29/02/2024', '02/28/2024'])).message).toMatch(/29\/02\/2024 in row 2, 02\/28\/2024 in row 3/);
  expect((await read(['29/02/2024', '02/28/2024'], { order: 'dmy' })).cells).toEqual(['2024-02-29', '02/28/2024']);
  expect(await read(['29/02/2024', '30/02/2024', 'soon'])).toMatchObject({
    cells: ['2024-02-29', '30/02/2024', 'soon'],
  });
});

test('a few ambiguous dates among clear ones are asked about, or errors of their rows if nobody can be asked', async () => {
  const cells = ['2024-02-29', '2024-03-01', '3 Mar 2024', '03/02/2024', '30/02/2024'];
  const rows = cells.map((cell, at) => ({ row: at + 2, cells: [cell] }));
  const meant = { order: undefined, from1904: false };
  const { question } = await readDateColumn(rows, 0, { ...meant, isConfirmed: true });
  expect(question?.choices.map(({ answer }) => answer)).toEqual(['dmy', 'mdy']);
  const { error: message, unclear } = await readDateColumn(rows, 0, { ...meant, isConfirmed: false });
  expect(message).toBeUndefined();
  expect(rows.map((row) => dateErrorOf(row.cells[0]!, unclear)?.code)).toEqual([
    ...[undefined, undefined, undefined],
    ...['unclear_dates', 'invalid_format'],
  ]);
  expect((await read([...cells.slice(0, 3), 45_351], { isConfirmed: false })).message).toBeUndefined();
});

describe('numbers', () => {
  test('are serial dates if all can be, and it is confirmed', async () => {
    expect(await read([45_351, '45352', '2024-03-02'])).toMatchObject({
      cells: ['2024-02-29', '2024-03-01', '2024-03-02'],
      order: null,
      codes: ['serial_dates'],
    });
    expect((await read([45_351], { isConfirmed: false })).message).toMatch(/45351 in row 2 would be 2024-02-29/);
    expect((await read([43_889], { from1904: true })).cells).toEqual(['2024-02-29']);
  });

  test('aren’t dates if one of them can’t be', async () => {
    expect(await read([45_351, 7])).toMatchObject({ cells: [45_351, 7], codes: [], message: undefined });
  });

  test('of eight digits are dates as written', async () => {
    expect(await read([20_240_229], { isConfirmed: false })).toMatchObject({ cells: ['2024-02-29'], codes: [] });
  });

  test('with a fraction have a time', async () => {
    expect((await read([45_351.5])).cells.map((cell) => `${dateErrorOf(cell!)?.message}`)).toEqual([
      'Must be a date without a time.',
    ]);
  });
});

test('reports dates whose day and month a program may have swapped', async () => {
  const swapped = ['29/02/2024', '2024-03-02', '30/03/2024', '2024-04-02'];
  expect((await read(swapped)).codes).toEqual(['date_order', 'swapped_dates']);
  expect((await read(swapped, { order: 'dmy' })).codes).toEqual(['swapped_dates']);
  expect((await read([...swapped, '2024-04-13'])).codes).toEqual(['date_order']);
  expect((await read([...swapped, '03/04/2024'])).codes).toEqual(['date_order']);
});

test.each([
  ['2024-02-29', undefined],
  ['29/02/2024', 'Is not a date in the order of this column’s other dates.'],
  ['2024-02-29T08:30:00', 'Must be a date without a time.'],
  ['soon', 'Must be a date, such as 2026-03-02.'],
  [true, 'Must be a date, such as 2026-03-02.'],
  [7, 'Must be a date, such as 2026-03-02.'],
])('%j: %s', (cell, message) => {
  expect(dateErrorOf(cell)?.message.translate('en')).toBe(message);
});
