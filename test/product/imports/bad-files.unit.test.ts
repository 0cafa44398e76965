/** Files that are rejected when they are received, or when they are read. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createLocalStorage } from '../../../src/platform/files/store/local.ts';
import type { Storage } from '../../../src/platform/files/store/storage.ts';
import { receiveImport } from '../../../src/product/imports/receive-import-file.ts';
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { container, kinds, odsOf, written, xlsbOf, xlsOf } from '../../platform/sheets/other-workbooks.ts';
import { listed, workbook, zipped } from '../../platform/sheets/workbooks.ts';
import { fileReader } from './file-reader.ts';

const read = fileReader();

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row r="1">${requiredHeaders.map((name, at) => text(`${'ABCD'[at]}1`, name)).join('')}</row>`;
const within = (name: string) => container({ [name]: Buffer.alloc(9_000) });
/** A workbook that declares this unpacked size for a part. */
async function bomb(unpackedBytes: number, packedBytes: number): Promise<Buffer> {
  const bytes = await workbook(header);
  const [at] = listed(bytes).slice(-1);
  bytes.writeUInt32LE(packedBytes, at! + 20);
  bytes.writeUInt32LE(unpackedBytes, at! + 24);
  return bytes;
}

async function encryptedEntry(): Promise<Buffer> {
  const file = await workbook(header);
  for (const at of listed(file)) file.writeUInt16LE(1, at + 8);
  return file;
}

describe('received', () => {
  let folder: string;
  let storage: Storage;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'imports-'));
    storage = createLocalStorage(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const receive = (file: Buffer, filename: string) => {
    const stream = Readable.from([file], { objectMode: false });
    return receiveImport({ storage, scanner: undefined }, '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', stream, { filename });
  };
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    return keys;
  };

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
    ['an ods that is a bomb', () => odsOf('', { 'content.xml': Buffer.alloc(5_000_000) }), 'expands_too_much'],
    ['a workbook with macros', () => workbook(header, { 'xl/vbaProject.bin': 'macros' }), 'macros'],
    ['a bomb, by ratio', () => bomb(400_000_000, 1_000_000), 'expands_too_much'],
    ['a bomb, as such', () => bomb(600_000_000, 100_000_000), 'expands_too_much'],
    ['an encrypted entry', encryptedEntry, 'encrypted'],
  ])('%s is rejected, and nothing is stored', async (_, make, reason) => {
    await expect(receive(await make(), 'people.bin')).rejects.toMatchObject({
      ...{ status: 422, code: 'import_unreadable', details: { reason } },
      message: expect.stringMatching(/^The (workbook|file) .+\.$/),
    });
    expect(await stored()).toEqual([]);
  });

  test.each(['people.xlsx', 'people.csv', 'people'])(
    'a workbook with a password is rejected as %s',
    async (filename) => {
      const details = { reason: 'encrypted' };
      await expect(receive(within('EncryptedPackage'), filename)).rejects.toMatchObject({ details });
    },
  );

  test.each([
    '<html><table><tr><td>Name</td></tr></table></html>',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="x"/>',
    '\ufeff<table></table>',
  ])('a page as a workbook says what it is and how to save it: %j', async (page) => {
    const message = expect.stringMatching(/^The file is a web page or XML under the name of a workbook\. Open it/);
    for (const filename of ['people.xlsx', 'people.csv'])
      await expect(receive(Buffer.from(page), filename)).rejects.toMatchObject({ message });
  });

  test.each(kinds)('%s is recognized under any name except one ending in .xlsx', async (kind) => {
    const file = written(kind, { Collaborators: [[{ t: 's', v: 'Name' }]] });
    for (const filename of ['people', `people.${kind.toUpperCase()}`, kind === 'ods' ? 'people.xls' : 'people.ods']) {
      const { key, format } = await receive(file, filename);
      expect(format).toBe(kind);
      await storage.remove(key);
    }
    await expect(receive(file, 'people.xlsx')).rejects.toMatchObject({
      status: 400,
      details: { file: [expect.objectContaining({ message: expect.objectContaining({ values: ['xlsx', kind] }) })] },
    });
  });
});

describe('read', () => {
  test('100,001 people are too many', async () => {
    const file = Buffer.from(`name,email\n${'a\n'.repeat(100_001)}`);
    await expect(read(file)).rejects.toMatchObject({
      message: 'The file has more than 100000 rows.',
    });
  });

  test('missing and duplicate required headers are named', async () => {
    const lacking = csv([
      ['name', 'department'],
      ['Ann', 'x'],
    ]);
    const { errors, messages, table } = await read(lacking);
    expect(messages).toEqual(['There is no column for email.', 'There is no column for position.']);
    expect([errors, table.columns.length]).toEqual([['-1 email required', '-1 position required'], 2]);
    const doubled = csv([
      [...requiredHeaders, 'E-Mail'],
      ['Ann', 'ann@example.com', 'x', 'y', 'other@example.com'],
    ]);
    const mapping = { 'E-Mail': 'email' };
    expect((await read(doubled, { dry_run: false, mapping })).errors).toEqual(['E1 email duplicate']);
  });

  test('a file without rows, or without the sheet, says so', async () => {
    for (const file of [Buffer.from('\n\n\n'), await workbook('')])
      await expect(read(file)).rejects.toMatchObject({ message: 'The file has no rows.' });
    const message = 'The workbook has no such sheet.';
    await expect(read(await workbook(header), { sheet: 'Elsewhere' })).rejects.toMatchObject({ message });
  });
});
