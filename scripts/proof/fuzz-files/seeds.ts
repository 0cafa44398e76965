// Valid files of each kind, and those of earlier findings.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import * as XLSX from 'xlsx';
import { writeWorkbook } from '../../../src/platform/sheets/xlsx/write-xlsx.ts';
import { archiveOf, partsOf } from './archives.ts';

/** Boundary of multipart seeds. */
export const boundary = 'boundary';

export const kinds = ['xlsx', 'xls', 'xlsb', 'ods', 'csv', 'form', 'image', 'document'] as const;
export type Kind = (typeof kinds)[number];

export interface Seed {
  bytes: Buffer;
  /** Content of an archive. */
  parts?: Record<string, Buffer>;
}

const rows = [
  ['name', 'email', 'position', 'department', 'salary', 'hire_date', 'active'],
  ['João <Silva> & "co"', 'joao@example.com', 'Planner', 'Operations', 1234.56, new Date(Date.UTC(2026, 2, 2)), true],
  ['日本語 👩‍💻', 'nihon@example.com', "'=1+1", 'line\nbreak', -1e-7, new Date(Date.UTC(1900, 1, 28)), false],
  ['', null, 'x'.repeat(300), '007', 434.99999999999994, null, null],
];

/** @param found folder with files of earlier findings: `<kind>-….bin` */
export async function seedsOf(kind: Kind, found: string): Promise<Seed[]> {
  const names = await readdir(found).catch(() => []);
  const known = names.filter((name) => name.startsWith(`${kind}-`)).map((name) => readFile(join(found, name)));
  const files = [...(await makers[kind]()), ...(await Promise.all(known))];
  return Promise.all(files.map(seedOf));
}

async function seedOf(bytes: Buffer): Promise<Seed> {
  const parts = bytes.subarray(0, 2).toString() === 'PK' ? await partsOf(bytes).catch(() => undefined) : undefined;
  return { bytes, ...(parts && { parts }) };
}

const makers: Record<Kind, () => Promise<Buffer[]>> = {
  xlsx: async () => [written('xlsx'), await ourOwn()],
  xls: async () => [written('biff8')],
  xlsb: async () => [written('xlsb')],
  ods: async () => [written('ods')],
  csv: async () => [
    written('csv'),
    Buffer.from('sep=;\r\n"a";"b ""c"""\r\n"line\nbreak";2\r\n'),
    Buffer.from('\ufeffname\temail\nZoë\tz@example.com\n', 'utf16le'),
    Buffer.from('name,email\nZo\xeb,z@example.com\n', 'latin1'),
  ],
  form: async () => [
    form(['type', 'contract'], ['file', written('xlsx'), 'people.xlsx']),
    form(['file', Buffer.from('%PDF-1.7\n%%EOF\n'), 'a.pdf'], ['mapping', '{"a":null}'], ['mode', 'create']),
  ],
  image: async () => {
    const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#3377cc' } });
    const described = picture
      .clone()
      .withExif({ IFD0: { Copyright: 'x' } })
      .withIccProfile('p3');
    const deep = picture.clone().toColourspace('rgb16').ensureAlpha();
    const frames = [await picture.clone().png().toBuffer(), await picture.clone().negate().png().toBuffer()];
    const moving = sharp(frames, { join: { animated: true } });
    return Promise.all([
      described.clone().jpeg().toBuffer(),
      described.clone().jpeg({ progressive: true }).toBuffer(),
      described.clone().png().toBuffer(),
      deep.png({ progressive: true }).toBuffer(),
      picture.clone().png({ palette: true }).toBuffer(),
      described.clone().webp().toBuffer(),
      described.clone().webp({ lossless: true }).toBuffer(),
      moving.webp({ delay: [100, 100] }).toBuffer(),
    ]);
  },
  document: async () => [
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
    await archiveOf({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'word/document.xml': Buffer.from('<document/>'),
    }),
    Buffer.from('plain text, with ümläuts\n'),
    Buffer.from('0000001c66747970686569630000000068656963686569786d696631', 'hex'),
  ],
};

function written(bookType: XLSX.BookType): Buffer {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'People');
  if (bookType !== 'csv') XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['other']]), 'Other');
  return XLSX.write(book, { type: 'buffer', bookType, compression: true, bookSST: true });
}

function ourOwn(): Promise<Buffer> {
  const columns = ['name', 'email', 'hire_date'].map((header) => ({ header, kind: 'text' as const }));
  const sheet = { name: 'Collaborators', columns, groups: [[['Ann', 'ann@example.com', '2026-03-02']]] };
  return buffer(writeWorkbook([sheet], { title: 'x', properties: { about: 'seed' } }));
}

function form(...parts: [name: string, content: string | Buffer, filename?: string][]): Buffer {
  const encoded = parts.flatMap(([name, content, filename]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename ? `; filename="${filename}"\r\nContent-Type: application/octet-stream` : ''}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]); // biome-ignore format: as it is sent
  return Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)]);
}
