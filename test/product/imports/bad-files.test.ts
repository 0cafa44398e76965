/** Invalid and hostile files: each gets a clear error, and the service continues. */
import { record, xlsRecord } from '../../../src/platform/sheets/xls/xls-records.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { objects } from '../../helpers/resources/documents.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  people,
  range,
  requiredHeaders,
  runImport,
  sendImport,
  summarizeErrors,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { container, odsOf, odsTable, xlsbOf, xlsbRow, xlsOf } from '../../platform/sheets/other-workbooks.ts';
import { listed, workbook, workbookParts, zipped } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row r="1">${requiredHeaders.map((name, at) => text(`${'ABCD'[at]}1`, name)).join('')}</row>`;
const within = (name: string) => container({ [name]: Buffer.alloc(9_000) });
const named = '<table:table-cell office:value-type="string"><text:p>Email</text:p></table:table-cell>';
const value = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>';

/** A workbook that declares this unpacked size for a part. */
async function bomb(unpackedBytes: number, packedBytes: number): Promise<Buffer> {
  const bytes = await workbook(header);
  const [at] = listed(bytes).slice(-1);
  bytes.writeUInt32LE(packedBytes, at! + 20);
  bytes.writeUInt32LE(unpackedBytes, at! + 24);
  return bytes;
}

describe('rejected immediately, and nothing is stored', () => {
  let before: [objects: number, imports: number];
  const now = async (): Promise<typeof before> => [
    (await objects(app)).length,
    (await app.database.query('select 1 from imports')).length,
  ];
  beforeEach(async () => {
    before = await now();
  });
  afterEach(async () => {
    expect(await now()).toEqual(before);
  });

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'not_a_table'],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n'), 'not_a_table'],
    ['HTML', () => Buffer.from('<!doctype html><table><tr><td>name</td></tr></table>'), 'not_a_table'],
    ['an old text document', () => within('WordDocument'), 'not_a_table'],
    [
      'a text document',
      () => zipped({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' }),
      'not_a_table',
    ],
    ['an OpenDocument text', () => odsOf('', { mimetype: 'application/vnd.oasis.opendocument.text' }), 'not_a_table'],
    ['a truncated workbook', async () => (await workbook(header)).subarray(0, -30), 'damaged'],
    ['a workbook with a password', () => within('EncryptedPackage'), 'encrypted'],
    [
      'an OpenDocument file with a password',
      () => odsOf('', { 'content.xml': '', 'encrypted-package': 'x' }),
      'encrypted',
    ],
    ['an xls with macros', () => xlsOf([], { files: { '_VBA_PROJECT_CUR/VBA/dir': Buffer.alloc(9) } }), 'macros'],
    ['an xlsb with macros', () => xlsbOf([], { 'xl/vbaProject.bin': 'macros' }), 'macros'],
    ['an ods with macros', () => odsOf('', { 'Basic/Standard/Module1.xml': '<x/>' }), 'macros'],
    ['an ods that is a bomb', () => odsOf('', { 'content.xml': Buffer.alloc(30_000_000) }), 'expands_too_much'],
    ['a workbook with macros', () => workbook(header, { 'xl/vbaProject.bin': 'macros' }), 'macros'],
    ['a bomb, by ratio', () => bomb(400_000_000, 1_000_000), 'expands_too_much'],
    ['a bomb, as such', () => bomb(600_000_000, 100_000_000), 'expands_too_much'],
  ])('%s', async (_, make, reason) => {
    const file = await make();
    const { status, body } = await sendImport(app.admin, { file, filename: 'people.bin' });
    expect([status, body.error, body.details]).toEqual([422, 'import_unreadable', { reason }]);
    expect(body.message).toMatch(/^The (workbook|file) .+\.$/);
  });

  test('an encrypted entry', async () => {
    const file = await workbook(header);
    for (const at of listed(file)) file.writeUInt16LE(1, at + 8);
    const { body } = await sendImport(app.admin, { file, filename: 'people.xlsx' }).expect(422);
    expect(body.details).toEqual({ reason: 'encrypted' });
    const json = { filename: 'people', content_base64: file.toString('base64') };
    expect((await app.admin.post('/v1/collaborators/import', json).expect(422)).body.details).toEqual(body.details);
  });
});

test('a document with a workbook’s extension says what it is and how to save it', async () => {
  const locked = container({ EncryptedPackage: Buffer.alloc(5_000) });
  const filenames = ['xlsx', 'csv'].map((ending) => `people.${ending}`);
  for (const filename of [...filenames, 'people']) {
    const { body } = await sendImport(app.admin, { file: locked, filename }).expect(422);
    expect([body.error, body.details]).toEqual(['import_unreadable', { reason: 'encrypted' }]);
  }
  const pages = [
    '<html><table><tr><td>Name</td></tr></table></html>',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="x"/>',
    '\ufeff<table></table>',
  ];
  for (const [page, filename] of pages.flatMap((page) => filenames.map((name) => [page, name] as const))) {
    const { body } = await sendImport(app.admin, { file: Buffer.from(page), filename }).expect(422);
    expect(body.message).toMatch(/^The file is a web page or XML under the name of a workbook\. Open it/);
  }
});

describe('fails while reading', () => {
  const failed = async (file: Buffer, parts: object = {}) => {
    const job = await runImport(app.admin, { file, filename: 'x', ...parts });
    expect(job).toMatchObject({ status: 'failed', failure: { reason: 'unreadable' }, error_report_url: null });
    return { message: job.failure!.message, summaries: summarizeErrors(await errorsOf(app.admin, job.id)), job };
  };

  test('a workbook with a corrupt part, or a wrong declared size', async () => {
    const broken = await workbook(header);
    for (const at of listed(broken)) broken.writeUInt32LE(0x12345678, at + 16); // the checksum
    expect((await failed(broken)).message).toMatch(/damaged/);

    const rows = `${header}<row r="2">${text('A2', 'x'.repeat(30_000))}</row>`;
    const lying = await workbook(rows.repeat(1));
    for (const at of listed(lying)) lying.writeUInt32LE(100, at + 24);
    expect((await failed(lying)).message).toMatch(/damaged/);
  });

  test('100,001 people', async () => {
    expect((await failed(people(range(100_001)))).message).toBe('The file has more than 100000 rows.');
  });

  test('a line of 3 MB', async () => {
    const line = Buffer.alloc(3_000_000, 'x');
    const found = await failed(Buffer.concat([csv([requiredHeaders]), line]));
    expect([found.message, found.summaries]).toEqual([
      expect.stringMatching(/^A row has more than/),
      ['-2 - too_long'],
    ]);
  });

  test('missing and duplicate required headers', async () => {
    const missing = await failed(
      csv([
        ['name', 'department'],
        ['Ann', 'x'],
      ]),
    );
    expect(missing.message).toBe('There is no column for email. There is no column for position.');
    expect(missing.summaries).toEqual(['-1 email required', '-1 position required']);
    expect(missing.job.columns).toHaveLength(2);
    const doubled = await failed(
      csv([
        [...requiredHeaders, 'E-Mail'],
        ['Ann', 'ann@example.com', 'x', 'y', 'other@example.com'],
      ]),
      { mapping: { 'E-Mail': 'email' } },
    );
    expect(doubled.summaries).toEqual(['E1 email duplicate']);
  });

  test('an unclosed quote, no rows, or an unknown sheet', async () => {
    const open = await failed(Buffer.from('name,email\nAnn,"ann@example.com\n'));
    expect(open.message).toMatch(/a quote is not closed/);
    expect((await failed(Buffer.from('\n\n\n'))).message).toBe('The file has no rows.');
    expect((await failed(await workbook(''))).message).toBe('The file has no rows.');
    expect((await failed(await workbook(header), { sheet: 'Elsewhere' })).message).toBe(
      'The workbook has no such sheet.',
    );
  });

  test.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['an xls with a password', () => xlsOf([], { shared: [xlsRecord(record.protected, Buffer.alloc(54))] }), /password/],
    ['an xls of Excel 95', () => xlsOf([], { version: 0x0500 }), /Excel 95/],
    ['an xls without records', () => within('Workbook'), /damaged/],
    ['an ods with a password', () => odsOf('', { 'META-INF/manifest.xml': '<m><encryption-data/></m>' }), /password/],
    ['an ods of a million rows', () => odsOf(odsTable(named, ' table:number-rows-repeated="1000000"')), /more than 100012 rows/],
    ['an ods of 16,384 columns', () => odsOf(odsTable(value.replace('>', ' table:number-columns-repeated="16384">'))), /more than 500 columns/],
    ['an xlsb that ends too early', () => xlsbOf([], { 'xl/worksheets/sheet1.bin': '' }), /damaged/],
    ['an xlsb with rows out of order', () => xlsbOf([xlsbRow(1), xlsbRow(0)]), /damaged/],
  ])('%s', async (_, make, message) => {
    expect((await failed(await make())).message).toMatch(message);
  }); // biome-ignore format: a table

  test('macros that only the content types reveal', async () => {
    const types =
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>';
    expect((await failed(await workbook(header, { '[Content_Types].xml': types }))).message).toMatch(/macros/);
  });
});

test('stops unpacking a bomb without declared sizes', async () => {
  const bytes = await zipped({ ...workbookParts(header), 'xl/sharedStrings.xml': Buffer.alloc(30_000_000) });
  const [at] = listed(bytes).slice(-1);
  bytes.writeUInt32LE(4_000_000, at! + 24);
  const job = await runImport(app.admin, { file: bytes, filename: 'bomb.xlsx' });
  expect(job.failure).toMatchObject({ reason: 'unreadable', message: expect.stringMatching(/damaged|far more text/) });
});

test('the service still imports after all of them', async () => {
  const job = await runImport(app.admin, { file: people([1, 2, 3]) });
  expect(job).toMatchObject({ status: 'completed', counts: { created: 3 } });
  await expectConsistent(app);
  const storedFiles = await app.database.query<{ key: string | null }>('select key from imports where key is not null');
  expect(storedFiles).toEqual([]);
});
