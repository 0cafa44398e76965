// multipart/form-data bodies: valid ones, and ones broken at every place.
import fc from 'fast-check';

export interface Part {
  name: string;
  content: string | Buffer;
  /** Makes it a file. */
  filename?: string;
  type?: string;
}

const boundary = 'fuzz-boundary-7MA4YWxk';
export const formType = `multipart/form-data; boundary=${boundary}`;

export function formBytes(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, content, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
    const media = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n${media}\r\n`;
    return [Buffer.from(head), Buffer.from(content as string), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Escapes names as browsers do (WHATWG HTML, multipart/form-data encoding). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const end = `\r\n--${boundary}--\r\n`;
const field = (header: string, content = 'x') => Buffer.from(`--${boundary}\r\n${header}\r\n\r\n${content}${end}`);
const disposition = 'Content-Disposition: form-data';

export const breaking: fc.Arbitrary<(form: Buffer) => Buffer> = fc.constantFrom<((form: Buffer) => Buffer)[]>(
  (form) => form.subarray(0, form.length - 6),
  (form) => form.subarray(0, form.length / 2),
  (form) => form.subarray(0, 20),
  (form) => Buffer.from(form.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (form) => Buffer.from(form.toString('latin1').replaceAll(boundary, 'another-boundary'), 'latin1'),
  (form) => Buffer.concat([form, form]),
  (form) => Buffer.concat([Buffer.from('preamble without end'), form]),
  (form) => Buffer.from(form.toString('latin1').replace('\r\n\r\n', '\r\n'), 'latin1'),
  (form) => Buffer.from(form.toString('latin1').replace('form-data', 'attachment'), 'latin1'),
  (form) =>
    Buffer.from(form.toString('latin1').replace(/filename="/g, "filename*=UTF-8''%zz%00; filename=\""), 'latin1'),
  (form) =>
    Buffer.from(form.toString('latin1').replace(/filename="[^"]*"/g, 'filename="../../../../tmp/x\0.pdf"'), 'latin1'),
  (form) => Buffer.from(form.toString('latin1').replace(/filename="[^"]*"/g, 'filename=""'), 'latin1'),
  (form) => Buffer.from(form.toString('latin1').replace(/filename="/g, `filename="${'y'.repeat(20_000)}`), 'latin1'),
  (form) => Buffer.from(form.toString('latin1').replace(/name="[^"]*"/, 'name="__proto__"'), 'latin1'),
  (form) =>
    Buffer.from(form.toString('latin1').replace(/name="[^"]*"/, 'name="file[constructor][prototype]"'), 'latin1'),
  (form) => Buffer.from(form.toString('latin1').replace(/name="[^"]*"/, `name="${'n'.repeat(5_000)}"`), 'latin1'),
  (form) =>
    Buffer.from(
      form.toString('latin1').replace(/Content-Type: [^\r]*/g, 'Content-Type: multipart/mixed; boundary=inner'),
      'latin1',
    ),
  (form) =>
    Buffer.from(
      form.toString('latin1').replace(/Content-Type: [^\r]*/g, 'Content-Transfer-Encoding: base64'),
      'latin1',
    ),
  () => field(disposition),
  () => field(`${disposition}; name=`),
  () => field(`${disposition}; name=""`),
  () => field(`${disposition}; name="file"`, 'text in place of a file'),
  () => field(`${disposition}; name="a[b][c][d][e]"`),
  () => field(`${disposition}; name="type"`, '\0\xff\ud800'),
  () => field(`${disposition}; name="type"`, 'x'.repeat(70_000)),
  () => field(`X: ${'h'.repeat(100_000)}`),
  () => field('no colon at all'),
  () => Buffer.from(`--${boundary}--`),
  () => Buffer.from(`--${boundary}`.repeat(3_000)),
  () => Buffer.from(`--${boundary}\r\n`.repeat(3_000)),
  () => formBytes(Array.from({ length: 60 }, (_, n) => ({ name: `f${n}`, content: 'x' }))),
  () =>
    formBytes(Array.from({ length: 9 }, () => ({ name: 'file', content: 'x', filename: 'x.txt', type: 'text/plain' }))),
  () => Buffer.alloc(0),
  () => Buffer.alloc(3_000, '-'),
);
