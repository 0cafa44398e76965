// Worst-case requests within the limits: each kind exhausts one limit.
import { type Operation, resolve, type Schema } from '../../../src/contract/contract.ts';

const mb = 1024 * 1024;
/** The service's default, for operations without their own limit. */
const defaultMaxBytes = mb;
const boundary = 'x'.repeat(60);

export interface WorstCase {
  /** Content that fills the request. */
  kind: string;
  content_type?: string;
  body?: Buffer;
  /** Overrides the default of none. */
  query?: string;
  headers?: Record<string, string>;
}

export function worstCases({ requestBody, 'x-max-body-bytes': maxBytes = defaultMaxBytes }: Operation): WorstCase[] {
  const bodies = Object.entries(requestBody?.content ?? {});
  return [
    ...headCases(),
    ...bodies.flatMap(([contentType, { schema }]) => {
      const fields = Object.entries(resolve(schema).properties ?? {}).map(
        ([name, field]) => [name, resolve(field)] as const,
      );
      if (contentType === 'multipart/form-data') return formCases(fieldWith(fields, 'format', 'binary')!, maxBytes);
      return jsonCases(fields, maxBytes).map((each) => ({ content_type: contentType, ...each }));
    }),
  ];
}

type Fields = (readonly [name: string, schema: Schema])[];

function fieldWith(fields: Fields, keyword: string, value: string): string | undefined {
  return fields.find(([, schema]) => schema[keyword] === value)?.[0];
}

/** Cases for routes outside the contract that take client requests. */
export function tokenCases(): WorstCase[] {
  const maxBytes = 56 * 1024;
  const form = (kind: string, text: string) => ({
    kind,
    content_type: 'application/x-www-form-urlencoded',
    body: Buffer.from(text),
  });
  return [
    form('form: many fields', repeated('a&', maxBytes)),
    form('form: one field many times', repeated('scope=a&', maxBytes)),
    form('form: a long text', `client_id=${repeated('%41', maxBytes - 20)}`),
    form('form: one of each', `grant_type=refresh_token&client_id=x&refresh_token=${repeated('x', maxBytes - 100)}`),
    { kind: 'json: members', content_type: 'application/json', body: Buffer.from(members(maxBytes)) },
    {
      kind: 'json: a long list',
      content_type: 'application/json',
      body: Buffer.from(`{"scope":[${repeated('1,', maxBytes - 20)}1]}`),
    },
  ];
}

function headCases(): WorstCase[] {
  const fields = (name: (i: number) => string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name(i)}=1`).join('&');
  return [
    { kind: 'query: many parameters', query: repeated('a&', 8_000) },
    { kind: 'query: a hundred parameters', query: fields((i) => `${i}${'%00'.repeat(20)}`, 100) },
    { kind: 'query: one parameter many times', query: fields(() => 'sort', 100) },
    { kind: 'query: a long text', query: `search=${repeated('%F0%9F%98%80', 7_900)}` },
    {
      kind: 'headers: long',
      headers: { 'if-match': repeated('W/"a",', 7_000), accept: repeated('a/b;q=0.1,', 7_000) },
    },
    {
      kind: 'headers: many',
      headers: Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`x-some-${i}`, 'a'.repeat(80)])),
    },
  ];
}

function jsonCases(fields: Fields, maxBytes: number): WorstCase[] {
  const names = fields.map(([name]) => name);
  const file = fieldWith(fields, 'contentEncoding', 'base64');
  const of = (kind: string, text: string) => ({ kind: `json: ${kind}`, body: Buffer.from(text) });
  const each = (value: string) => `{${names.map((name) => `"${name}":${value}`).join(',')}}`;
  const share = Math.floor(maxBytes / Math.max(names.length, 1)) - 60;
  const some = `"k${repeated('é', 4_000)}":1`;
  return [
    of('members', members(maxBytes)),
    of('200 members', `{${Array.from({ length: 200 }, (_, i) => `"k${i}":1`).join(',')}}`),
    of(
      '200 members with long names',
      `{${Array.from({ length: 200 }, (_, i) => some.replace('k', `k${i}`)).join(',')}}`,
    ),
    of('levels', repeated('[', maxBytes)),
    of('levels of objects', `${repeated('{"a":', maxBytes - 20)}1`),
    of('items', `[${repeated('1,', maxBytes - 4)}1]`),
    of('values in many arrays', `[${repeated(`[${repeated('1,', 3_800)}1],`, 94_000)}1]`),
    of('every field of another type', each('[{"a":[]}]')),
    of('every field a long text', each(`"${repeated('a', share)}"`)),
    of('every field a long text of addresses', each(`"${repeated('a.', share)}"`)),
    of('every field a long text of escapes', each(`"${repeated('\\u0000', share)}"`)),
    of('every field a long number', each(repeated('9', share))),
    of('every field an object', each(`{${Array.from({ length: 60 }, (_, i) => `"k${i}":{}`).join(',')}}`)),
    of('blanks', repeated(' ', maxBytes)),
    of('a text without end', `"${repeated('a', maxBytes - 2)}`),
    of('a text of escaped quotes', `{"a":"${repeated('\\"', maxBytes - 10)}"}`),
    ...(names.includes('items') ? itemCases(maxBytes) : []),
    ...(file ? fileCases(file, maxBytes) : []),
  ];
}

function itemCases(maxBytes: number): WorstCase[] {
  const of = (kind: string, count: number, item: string) => ({
    kind: `json: ${kind}`,
    body: Buffer.from(
      `{"mode":"create","dry_run":true,"items":[${repeated(`${item},`, count * (item.length + 1)).slice(0, -1)}]}`,
    ),
  });
  const faulty = `{${Array.from({ length: 40 }, (_, i) => `"k${i}":1`).join(',')}}`;
  const long = `{"name":"${'x'.repeat(Math.floor(maxBytes / 1_000) - 60)}"}`;
  return [
    of('1,000 items with 40 faults', 1_000, faulty),
    of('1,000 empty items', 1_000, '{}'),
    of('1,000 long items', 1_000, long),
  ];
}

function fileCases(name: string, maxBytes: number): WorstCase[] {
  const room = maxBytes - 100;
  const of = (kind: string, text: string) => ({
    kind: `json: ${kind}`,
    body: Buffer.from(`{"filename":"a.csv","${name}":"${text}"}`),
  });
  return [
    of('a file of zeros', repeated('AAAA', room)),
    of('a file with escapes', repeated('\\/', room)),
    of('a file of escaped quotes', repeated('\\"', room)),
    of('no base64, at its end', `${repeated('AAAA', room - 8)}!`),
    {
      kind: 'json: a file beside 200 members',
      body: Buffer.from(`{"${name}":"${repeated('QUJD', room - 4_000)}",${members(3_000).slice(1)}`),
    },
  ];
}

function formCases(file: string, maxBytes: number): WorstCase[] {
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const of = (kind: string, parts: string[]) => ({
    kind: `form: ${kind}`,
    content_type: contentType,
    body: Buffer.from(`${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`, 'latin1'),
  });
  const text = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const upload = (value: string, name = 'a.csv') =>
    `Content-Disposition: form-data; name="${file}"; filename="${name}"\r\n\r\n${value}`;
  const room = maxBytes - 2_000;
  return [
    of('many parts', Array(Math.floor(room / 140)).fill(text('a', ''))),
    of(
      'texts of 64 KB',
      Array.from({ length: 16 }, (_, i) => text(`a${i}`, repeated('x', 65_000))),
    ),
    of('JSON parts', [text('mapping', repeated('[', 60_000)), text('mapping', members(60_000))]),
    of('a long head', [`Content-Disposition: form-data; name="a"\r\nX: ${repeated('x', room)}\r\n\r\n`]),
    of('a long name', [text(repeated('a[b]', 15_000), '1')]),
    of('a file of zeros', [upload(repeated('\0', room))]),
    of('a file of line breaks', [upload(repeated('\n', room))]),
    of('a workbook of nothing but parts', [upload(zipOf(zipEntry(), room), 'a.xlsx')]),
    of('a picture that says it is large', [
      upload(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x06\0\0\0${repeated('\0', 60_000)}`, 'a.png'),
    ]),
    {
      kind: 'form: what is in front of the first part',
      content_type: contentType,
      body: Buffer.from(`${repeated('x\r\n', room)}\r\n--${boundary}--\r\n`),
    },
  ];
}

/** Central directory entry of a zip archive, with a name of 20 characters. */
function zipEntry(): Buffer {
  const entry = Buffer.alloc(66);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 28);
  entry.write('xl/worksheets/a.xml ', 46);
  return entry;
}

function zipOf(entry: Buffer, room: number): string {
  const count = Math.min(65_000, Math.floor((room - 200) / entry.length));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(count * entry.length, 12);
  end.writeUInt32LE(4, 16);
  return `PK\x03\x04${entry.toString('latin1').repeat(count)}${end.toString('latin1')}`;
}

function members(maxBytes: number): string {
  const parts: string[] = [];
  let bytes = 2;
  for (let i = 0; bytes < maxBytes - 12; i++) {
    const member = `"k${i.toString(36)}":1`;
    parts.push(member);
    bytes += member.length + 1;
  }
  return `{${parts.join(',')}}`;
}

function repeated(text: string, maxBytes: number): string {
  return text.repeat(Math.max(0, Math.floor(maxBytes / Buffer.byteLength(text))));
}
