import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { Text } from '../../../src/contract/languages/text.ts';
import {
  maxDocumentBytes,
  type ReceivedFile,
  receiveDocument,
} from '../../../src/platform/files/inspect/receive-file.ts';
import { createLocalStorage } from '../../../src/platform/files/store/local.ts';
import type { Storage } from '../../../src/platform/files/store/storage.ts';
import { docx, heic, opened, pdf, program, type Sample, samples, xlsx, zip } from './samples.ts';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
let folder: string;
let storage: Storage;
let known: Record<string, Sample>;

beforeAll(async () => {
  known = await samples();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receive-'));
  storage = createLocalStorage(folder);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** In chunks, like a request body. */
function pieces(content: Buffer, bytes = 1_000): Readable {
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length; at += bytes) parts.push(content.subarray(at, at + bytes));
  return Readable.from(parts, { objectMode: false });
}

function receive(sample: Partial<Sample> & { content: Buffer }, pieceBytes?: number): Promise<ReceivedFile> {
  const { filename = 'file.pdf', media_type: mediaType = 'application/octet-stream', content } = sample;
  return receiveDocument(storage, undefined, companyId, pieces(content, pieceBytes), {
    filename,
    media_type: mediaType,
  });
}

const refusalOf = (sample: Partial<Sample> & { content: Buffer }) =>
  receive(sample).then(
    () => 'accepted',
    (error) => error,
  );

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys;
}

async function expectRefused(sample: Partial<Sample> & { content: Buffer }, code = 'invalid_format') {
  expect(await refusalOf(sample)).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: { file: [{ code, message: expect.any(Text) }] },
  });
  expect(await storedKeys()).toEqual([]);
}

describe('accepts', () => {
  test.each(['pdf', 'jpeg', 'png', 'webp', 'heic', 'docx', 'xlsx', 'odt', 'ods', 'txt', 'csv'])(
    '%s, unmodified',
    async (kind) => {
      const sample = known[kind]!;
      for (const pieceBytes of [1, 4_096, 65_536]) {
        const { key, ...received } = await receive(sample, pieceBytes);
        expect(received).toEqual({
          name: sample.filename,
          media_type: sample.media_type,
          size: sample.content.length,
          sha256: createHash('sha256').update(sample.content).digest('hex'),
        });
        expect(key).toMatch(new RegExp(`^${companyId}/documents/[0-9a-f]{2}/[0-9a-f]{40}$`));
        expect(await buffer(await storage.read(key))).toEqual(sample.content);
      }
      expect(await storedKeys()).toHaveLength(3);
    },
  );

  test.each(['pdf', 'jpeg', 'png', 'webp', 'heic', 'docx', 'xlsx', 'odt', 'ods', 'txt', 'csv'])(
    '%s without a declared type',
    async (kind) => {
      const { filename, content, media_type: mediaType } = known[kind]!;
      expect(await receive({ filename, content })).toMatchObject({ media_type: mediaType });
      expect(await receive({ filename: filename.toUpperCase(), content, media_type: '' })).toMatchObject({
        media_type: mediaType,
      });
    },
  );

  test('text in the encodings of office programs', async () => {
    const text = 'name;hours\r\nZoë Ångström;38,5\r\n';
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    const contents = {
      utf8: Buffer.from(text),
      utf8WithMark: Buffer.from(`\ufeff${text}`),
      latin1: Buffer.from(text, 'latin1'),
      windows_1252: Buffer.concat([Buffer.from([0x80, 0x93, 0x94, 0x99]), Buffer.from(text, 'latin1')]),
      utf16le: little,
      utf16be: Buffer.from(little).swap16(),
    };
    for (const content of Object.values(contents)) {
      for (const pieceBytes of [1, 7, 100_000]) {
        expect(await receive({ filename: 'a.csv', content }, pieceBytes)).toMatchObject({ media_type: 'text/csv' });
      }
    }
  });

  test('text that starts like other formats', async () => {
    for (const text of ['BMI,weight\n22,70\n', 'MZ,name\n', 'ID3,x\n', 'PK,x\n', 'GIF89a, a format\n']) {
      expect(await receive({ filename: 'a.csv', content: Buffer.from(text) })).toMatchObject({
        media_type: 'text/csv',
      });
    }
  });

  test('the types that browsers declare for CSV, with parameters', async () => {
    for (const mediaType of ['application/vnd.ms-excel', 'text/plain', 'TEXT/CSV; charset=utf-8']) {
      expect(await receive({ ...known.csv!, media_type: mediaType })).toMatchObject({ media_type: 'text/csv' });
    }
  });

  test('a name without an extension, and adds one', async () => {
    for (const [kind, name] of [
      ['pdf', 'contract.pdf'],
      ['jpeg', 'contract.jpg'],
      ['docx', 'contract.docx'],
    ] as const) {
      const { content, media_type: mediaType } = known[kind]!;
      expect(await receive({ filename: 'contract', content, media_type: mediaType })).toMatchObject({
        name,
        media_type: mediaType,
      });
    }
    expect(await receive({ filename: 'contract', content: pdf() })).toMatchObject({ name: 'contract.pdf' });
  });

  test('an unsafe name, and sanitizes it', async () => {
    expect(await receive({ filename: '../..\\etc/con.pdf\u202e', content: pdf() })).toMatchObject({ name: '_con.pdf' });
  });

  test('a PDF after the bytes that some programs prepend', async () => {
    for (const front of ['\ufeff', '\r\n', '\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n', ' '.repeat(900)]) {
      const content = Buffer.concat([Buffer.from(front), pdf()]);
      expect(await receive({ filename: 'contract..pdf', content })).toMatchObject({ name: 'contract..pdf' });
    }
  });

  test('HEIC under the generic brand of its container', async () => {
    const content = heic('mif1', ['mif1', 'heic']);
    expect(await receive({ filename: 'a.heic', content })).toMatchObject({ media_type: 'image/heic' });
  });

  test('a document with very many parts', async () => {
    const parts = Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`word/media/image${i}.png`, `${i}`]));
    const content = docx(parts);
    expect(await receive({ filename: 'a.docx', content })).toMatchObject({ size: content.length });
  });

  test('exactly 10 MB', async () => {
    const content = Buffer.concat([pdf(), randomBytes(maxDocumentBytes - pdf().length)]);
    expect(await receive({ content }, 65_536)).toMatchObject({ size: 10_485_760 });
  });
});

describe('rejects', () => {
  test('an empty file', () => expectRefused({ content: Buffer.alloc(0) }, 'too_short'));

  test.each(['a.pdf', 'a.jpg', 'a.png', 'a.webp', 'a.heic', 'a.docx', 'a.xlsx', 'a.odt', 'a.ods', 'a.txt', 'a.csv'])(
    'a program, HTML, SVG, a script, and an archive named %s',
    async (filename) => {
      const contents = [
        program(),
        Buffer.from('<!DOCTYPE html><html><script>alert(1)</script></html>'),
        Buffer.from('\ufeff \n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
        Buffer.from('<img src=x onerror=alert(1)>'),
        Buffer.from('\ufeff<script>alert(1)</script>', 'utf16le'),
        Buffer.from('#!/bin/sh\nrm -rf /\n'),
        Buffer.from('<?php system($_GET[0]);'),
        zip({ 'a.txt': 'hello' }),
        randomBytes(3_000),
      ];
      for (const content of contents) await expectRefused({ filename, content });
    },
  );

  test('an unsupported type by name', async () => {
    for (const filename of ['a.exe', 'a.html', 'a.svg', 'a.js', 'a.zip', 'a.docm', 'a.gif', 'a.pdf.exe']) {
      await expectRefused({ filename, content: pdf() });
    }
    await expectRefused({ filename: 'noending', content: program() });
    await expectRefused({ filename: 'noending', content: Buffer.from('text'), media_type: 'text/html' });
  });

  test('content of another type than the name says', async () => {
    for (const [kind, filename] of [
      ['pdf', 'a.png'],
      ['png', 'a.jpg'],
      ['docx', 'a.xlsx'],
      ['odt', 'a.ods'],
      ['odt', 'a.docx'],
      ['xlsx', 'a.ods'],
      ['pdf', 'a.txt'],
      ['txt', 'a.pdf'],
    ] as const) {
      await expectRefused({ filename, content: known[kind]!.content });
    }
  });

  test('such content with a message that names its type', async () => {
    const { details } = await refusalOf({ filename: 'IMG_0042.jpg', content: heic() });
    expect(String(details.file[0].message)).toBe(
      'The content of the file is HEIC, but by its name it is JPEG. Rename the file so that it ends in .heic.',
    );
    const sent = await refusalOf({ ...known.docx!, media_type: 'image/png' });
    expect(String(sent.details.file[0].message)).toBe(
      'By its name the file is a Word document (docx), but it is sent as another kind of file.',
    );
  });

  test('a PDF too far from the start, or after markup', async () => {
    await expectRefused({ content: Buffer.concat([Buffer.from(' '.repeat(1_100)), pdf()]) });
    await expectRefused({ content: Buffer.concat([Buffer.from('<img src=x onerror=alert(1)>'), pdf()]) });
  });

  test('a declared type that contradicts the name', async () => {
    await expectRefused({ ...known.pdf!, media_type: 'image/png' });
    await expectRefused({ ...known.txt!, media_type: 'text/html' });
    await expectRefused({ ...known.png!, media_type: 'application/pdf' });
  });

  test('polyglot files', async () => {
    const archive = zip({ 'evil.class': 'x' });
    await expectRefused({ filename: 'a.pdf', content: Buffer.concat([pdf(), archive]) });
    await expectRefused({ filename: 'a.png', content: Buffer.concat([known.png!.content, archive]) });
    await expectRefused({ filename: 'a.txt', content: Buffer.concat([Buffer.from('hello\n'), archive]) });
    await expectRefused({
      filename: 'a.pdf',
      content: Buffer.concat([Buffer.from('%PDF-1.7\n<script>alert(1)</script>'), pdf()]),
    });
    const { content } = known.jpeg!;
    const commented = (text: string) => {
      const comment = Buffer.from(`\xff\xfe\x00\x20${text.padEnd(30)}`, 'latin1');
      return Buffer.concat([content.subarray(0, 2), comment, content.subarray(2)]);
    };
    await expectRefused({ filename: 'a.jpg', content: commented('<?php system($_GET[0]); ?>') });
    expect(await receive({ filename: 'a.jpg', content: commented('By a camera') })).toMatchObject({ name: 'a.jpg' });
  });

  test('office documents that have macros, are encrypted, or are empty', async () => {
    await expectRefused({ filename: 'a.docx', content: docx({ 'word/vbaProject.bin': 'x' }) });
    await expectRefused({ filename: 'a.xlsx', content: xlsx({ 'xl/VBAPROJECT.BIN': 'x' }) });
    await expectRefused({ filename: 'a.docx', content: zip({ 'word/document.xml': 'x' }) });
    await expectRefused({ filename: 'a.docx', content: docx({ 'xl/workbook.xml': 'x' }) });
    await expectRefused({ filename: 'a.docx', content: docx().subarray(0, -30) });
    await expectRefused({ filename: 'a.docx', content: docx({}, 1) }); // encrypted
    await expectRefused({ filename: 'a.odt', content: opened('text', { 'Basic/Standard/Module1.xml': 'x' }) });
    await expectRefused({ filename: 'a.ods', content: opened('spreadsheet', { 'Scripts/python/a.py': 'x' }) });
    await expectRefused({ filename: 'a.odt', content: opened('text-template') });
    await expectRefused({ filename: 'a.odt', content: zip({ 'content.xml': 'x', mimetype: 'x' }) });
  });

  test('text that turns out to be binary', async () => {
    const text = Buffer.from('all is well\n'.repeat(5_000));
    await expectRefused({ filename: 'a.txt', content: Buffer.concat([text, Buffer.from([0])]) });
    await expectRefused({ filename: 'a.txt', content: Buffer.from('\ufeffodd', 'utf16le').subarray(0, -1) });
    await expectRefused({ filename: 'a.txt', content: Buffer.from('without a mark', 'utf16le') });
    await expectRefused({ filename: 'a.txt', content: Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]) });
  });

  test('AVIF, GIF, and other images', async () => {
    await expectRefused({ filename: 'a.heic', content: heic('avif', ['avif', 'mif1']) });
    await expectRefused({ filename: 'a.heic', content: heic('mif1', ['mif1', 'avif']) });
    const gif = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
      .gif()
      .toBuffer();
    await expectRefused({ filename: 'a.png', content: gif });
  });

  test('one byte more than 10 MB', async () => {
    const content = Buffer.concat([pdf(), randomBytes(maxDocumentBytes + 1 - pdf().length)]);
    await expect(receive({ content }, 65_536)).rejects.toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(await storedKeys()).toEqual([]);
  });

  test('more than 10 MB without reading much further', async () => {
    let sentBytes = 0;
    const endless = Readable.from(
      (async function* () {
        yield pdf();
        for (;;) {
          sentBytes += 65_536;
          yield randomBytes(65_536);
        }
      })(),
      { objectMode: false },
    );
    const claimed = { filename: 'a.pdf', media_type: '' };
    await expect(receiveDocument(storage, undefined, companyId, endless, claimed)).rejects.toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
    expect(sentBytes).toBeLessThan(11 * 1024 * 1024);
    expect(endless.destroyed).toBe(true);
    expect(await storedKeys()).toEqual([]);
  });

  test('an unsupported type at its start', async () => {
    let sentBytes = 0;
    const endless = Readable.from(
      (async function* () {
        yield program();
        for (;;) yield Buffer.alloc(1_000, ++sentBytes);
      })(),
      { objectMode: false },
    );
    await expect(
      receiveDocument(storage, undefined, companyId, endless, { filename: 'a.pdf', media_type: '' }),
    ).rejects.toMatchObject({ status: 400 });
    expect(sentBytes).toBeLessThan(200);
  });
});

describe('an aborted upload', () => {
  test('leaves nothing if the client disconnects', async () => {
    const broken = Readable.from(
      (async function* () {
        yield pdf();
        yield randomBytes(200_000);
        throw Object.assign(new Error('the client left'), { code: 'ECONNRESET' });
      })(),
      { objectMode: false },
    );
    await expect(
      receiveDocument(storage, undefined, companyId, broken, { filename: 'a.pdf', media_type: '' }),
    ).rejects.toThrow('the client left');
    expect(await storedKeys()).toEqual([]);
  });

  test('reports a storage error as such, and releases the stream', async () => {
    await writeFile(join(folder, 'file'), '');
    const full = createLocalStorage(join(folder, 'file'));
    const stream = pieces(Buffer.concat([pdf(), randomBytes(500_000)]));
    await expect(
      receiveDocument(full, undefined, companyId, stream, { filename: 'a.pdf', media_type: '' }),
    ).rejects.toMatchObject({ status: 503, cause: { code: 'ENOTDIR' } });
    expect(stream.destroyed).toBe(true);
  });
});
