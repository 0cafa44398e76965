/** Files designed to take long, compared with an ordinary file of the same size. */
import { randomBytes } from 'node:crypto';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { XmlReader } from '../../../src/platform/sheets/xml/xml.ts';
import { processorTime } from '../../helpers/timing.ts';
import { readAll, refusal, workbook, zipped } from './workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const mb = 1024 * 1024;
const filled = (bytes: number, piece: string) => Buffer.alloc(bytes, piece);

describe('CSV', () => {
  const typicalRow = `${Array.from({ length: 40 }, (_, column) => `cell ${column}`).join(',')}\n`;
  let controlMs: number;
  beforeAll(async () => {
    await readAll(reader, filled(mb, typicalRow)); // including lazily loaded code
    controlMs = await processorTime(() => readAll(reader, filled(3 * mb, typicalRow)));
  });

  test.each([
    ['line feeds', '\n', 'too_many_rows', /more than 1048576 lines/],
    ['rows of commas', `${','.repeat(49)}\n`, undefined, undefined],
    ['commas in one row', ',', 'cell_too_long', /A row has more than 2 MB/],
    ['quotes', '"', 'cell_too_long', /A row has more than/],
  ])('with 3 MB of %s costs no more than people do', async (_, piece, code, message) => {
    const file = filled(3 * mb, piece);
    let error: unknown;
    const work = () => readAll(reader, file).catch((thrown) => (error = thrown));
    expect(await processorTime(work)).toBeLessThan(3 * controlMs + 1_000);
    expect(error).toEqual(code && expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });

  test('with 500 fields is accepted, and one more is rejected with its position', async () => {
    const row = (fields: number) => Buffer.from(`a,b${','.repeat(fields - 2)}\nc,d\n`);
    const { rows } = await readAll(reader, row(500));
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const { code, details } = await refusal(reader, row(501));
    expect({ code, details }).toEqual({ code: 'too_many_columns', details: { row: 1, column: 'SG', limit: 500 } });
  });
});

describe('a workbook', () => {
  // Compresses badly, to stay below the expansion limit.
  const noise = randomBytes(3_000).toString('hex');
  const long = (chars: number) => noise.repeat(Math.ceil(chars / noise.length)).slice(0, chars);

  test('with tags of a megabyte costs as much as one with small tags', async () => {
    const sheet = async (tagChars: number) =>
      workbook(`<x a="${long(tagChars)}"/>`.repeat(Math.floor(10_000_000 / tagChars)));
    const [small, large] = [await sheet(1_000), await sheet(1_000_000)];
    const read = (file: Buffer) => readAll(reader, file, { limits: { expansion: 10_000 } });
    await read(small);
    const controlMs = await processorTime(() => read(small));
    expect(await processorTime(() => read(large))).toBeLessThan(3 * controlMs + 300);
  });

  test.each([
    ['a tag', `<x a="${long(1_100_000)}"/>`],
    ['a text', `<x>${long(1_100_000)}</x>`],
    ['a comment', `<!--${long(1_100_000)}-->`],
  ])('with %s of more than a megabyte is rejected, wherever it ends', async (_, xml) => {
    for (const more of ['', xml.repeat(3)]) {
      const { code } = await refusal(reader, await workbook(`<row>${xml}${more}</row>`));
      expect(code).toBe('cell_too_long');
    }
  });

  test('with endlessly nested elements is rejected', async () => {
    const nested = (depth: number) => workbook(`${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`);
    expect((await refusal(reader, await nested(100_000))).code).toBe('damaged');
    expect((await readAll(reader, await nested(900))).rows).toEqual([]);
  });

  test('with cells larger than a chunk is complete', async () => {
    const cell = (row: number) => `${row}${long(20_000 + 250 * row)}`;
    const rows = Array.from({ length: 40 }, (_, row) => `<row><c t="inlineStr"><is><t>${cell(row)}</t></is></c></row>`);
    const read = await readAll(reader, await workbook(rows.join('')));
    expect(read.rows.map(({ cells }, row) => cells[0] === cell(row))).toEqual(Array(40).fill(true));
  });
});

test.each([1, 2, 3, 7, 64])('XML is the same in chunks of %d characters', (size) => {
  const xml = `<?xml version="1.0"?><!-- <a> --><x:a b='>' c="&lt;"><d/>é &amp; 👩\r\n<![CDATA[<e>]]>&#233;</x:a>`;
  const events = (chunk: number) => {
    const found: string[] = [];
    const reader = new XmlReader({
      open: (name, attributes) => found.push(`<${name}${attributes}`),
      close: (name) => found.push(`/${name}`),
      text: (text) => found.push(text),
    });
    for (let at = 0; at < xml.length; at += chunk) reader.write(xml.slice(at, at + chunk));
    reader.end();
    return found;
  };
  const whole = ['<a b=\'>\' c="&lt;"', '<d', '/d', 'é & 👩\n', '<e>', 'é', '/a'];
  expect([events(xml.length), events(size)]).toEqual([whole, whole]);
});

test('a thread has a time limit per file unless it finds values', async () => {
  const rows = `<row>${'<c><v>1</v></c>'.repeat(20)}</row>`.repeat(2_000);
  const content = '<office:document-content><office:body><office:spreadsheet/></office:body></office:document-content>';
  const ods = { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content };
  const files = [await workbook(rows), Buffer.from('a,b\n'.repeat(50_000)), await zipped(ods)];
  for (const file of files) {
    // Not 0: Linux counts the time of a thread in ticks of some milliseconds, and the smallest file may take less.
    const { code } = await refusal(reader, file, { limits: { effortMs: -1, effortOfValueMs: 0 } });
    expect(code).toBe('takes_too_long');
  }
  const { rows: read } = await readAll(reader, files[0]!, { limits: { effortMs: 5_000, effortOfValueMs: 1 } });
  expect(read).toHaveLength(2_000);
});
