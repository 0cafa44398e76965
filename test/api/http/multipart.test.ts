/** Multipart forms: complete, malformed, too large, and truncated. */
import { connect, type Socket } from 'node:net';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { objects, pdf, picture, upload } from '../../helpers/resources/documents.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let stored: string[];
beforeEach(async () => {
  stored = (await objects(app)).filter((key) => !key.startsWith('.unfinished/')); // of the previous test
});

const path = () => `/v1/collaborators/${app.report.collaborator_id}/documents`;
const documents = async () =>
  (await app.database.query<{ total: number }>('select count(*)::int as total from documents'))[0]!.total;
const expectNoLeftovers = () => eventually(async () => expect(await objects(app)).toEqual(stored));

const boundary = 'xx-boundary-xx';
const filePart = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
const typePart = `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\nother\r\n`;
const end = `--${boundary}--\r\n`;

/** Sends the start of a chunked request without a Content-Length. */
async function startUpload(headers: Record<string, string> = {}, method = 'POST', target = path()): Promise<Socket> {
  const { hostname, port } = new URL(app.base_url);
  const socket = connect(Number(port), hostname);
  await new Promise((connected) => socket.once('connect', connected));
  socket.on('error', () => {}); // the service may close the connection during writes
  const all = {
    Host: hostname,
    Authorization: `Bearer ${app.admin.token}`,
    'X-Company-Id': app.company_id,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    ...(!headers['Content-Length'] && { 'Transfer-Encoding': 'chunked' }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

function chunk(socket: Socket, content: string | Buffer): Promise<void> {
  const bytes = Buffer.from(content);
  const framed = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  return new Promise((sent) => socket.write(framed, () => sent()));
}

/** The first response on a connection that stays open. */
function readResponse(socket: Socket): Promise<{ status: number; body: { error: string; details?: object } }> {
  return new Promise((resolve, reject) => {
    let response = '';
    socket.on('data', (some) => {
      response += some;
      const body = /\r\n\r\n(\{.*\})$/s.exec(response)?.[1];
      if (body) resolve({ status: Number(response.slice(9, 12)), body: JSON.parse(body) });
    });
    socket.once('close', () => reject(new Error(`closed after: ${response}`)));
  });
}

async function sendWhole(
  body: string | Buffer,
  headers: Record<string, string> = {},
  method = 'POST',
  target = path(),
) {
  const socket = await startUpload({ 'Content-Length': String(Buffer.byteLength(body)), ...headers }, method, target);
  socket.write(body);
  return readResponse(socket);
}

test('accepts a form in small pieces', async () => {
  const socket = await startUpload();
  for (const piece of [
    filePart.slice(0, 20),
    filePart.slice(20),
    pdf,
    '\r\n',
    typePart.slice(0, 9),
    typePart.slice(9),
  ]) {
    await chunk(socket, piece);
  }
  await chunk(socket, end);
  socket.write('0\r\n\r\n');
  expect((await readResponse(socket)).status).toBe(201);
});

test.each([
  ['no boundary', typePart + end, { 'Content-Type': 'multipart/form-data' }],
  ['an empty boundary', typePart + end, { 'Content-Type': 'multipart/form-data; boundary=' }],
  ['another boundary', typePart + end, { 'Content-Type': 'multipart/form-data; boundary=other' }],
  ['an end that is missing', filePart + pdf.toString(), {}],
  ['no part at all', 'just text', {}],
  ['a part without a name', `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${typePart}${end}`, {}],
])('returns 400 for %s and stores nothing', async (_, body, headers) => {
  const response = await sendWhole(body, headers);
  expect([response.status, response.body.error]).toEqual([400, 'validation_error']);
  await expectNoLeftovers();
});

describe('a file part with a missing or generic type', () => {
  const part = (name: string, filename: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n${type}\r\n`;
  const partTypes = [
    ['', 'nothing'],
    ['Content-Type: application/octet-stream\r\n', 'bytes'],
    ['Content-Type: text/plain\r\n', 'what is meant when it says nothing'],
  ] as const;
  const whole = (...parts: (string | Buffer)[]) =>
    Buffer.concat([...parts.map((each) => Buffer.from(each as string)), Buffer.from(`\r\n${typePart}${end}`)]);

  test.each(partTypes)('is detected from content and name for a document: %j (%s)', async (type) => {
    for (const filename of ['contract.pdf', 'contract']) {
      const { status, body } = await sendWhole(whole(part('file', filename, type), pdf));
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({ media_type: 'application/pdf', name: 'contract.pdf' }),
      ]);
    }
    for (const [filename, content] of [
      ['contract.pdf', 'no pdf'],
      ['photo.png', pdf],
      ['script.sh', 'echo'],
      ['page', '<html>'],
    ] as const) {
      const { status, body } = await sendWhole(whole(part('file', filename, type), content));
      expect([filename, status, body.details]).toEqual([
        filename,
        400,
        { file: [expect.objectContaining({ code: 'invalid_format' })] },
      ]);
      expect(JSON.stringify(body)).not.toContain('sent as');
    }
  });

  test('is plain text for a text without an extension', async () => {
    const { body } = await sendWhole(whole(part('file', 'notes', ''), 'Café'));
    expect(body).toMatchObject({ media_type: 'text/plain', name: 'notes.txt' });
  });

  test.each(partTypes)('is accepted for a photo: %j (%s)', async (type) => {
    const content = Buffer.concat([Buffer.from(part('file', 'me', type)), await picture(), Buffer.from(`\r\n${end}`)]);
    const target = `/v1/collaborators/${app.report.collaborator_id}/photo`;
    expect((await sendWhole(content, {}, 'PUT', target)).status).toBe(200);
  });

  test.each(partTypes)('is accepted for an import: %j (%s)', async (type) => {
    const file = 'name,email,position,department\nRui Sá,rui@verdelog.example,Driver,Fleet\n';
    const content = Buffer.from(`${part('file', 'people.csv', type)}${file}\r\n${end}`);
    expect((await sendWhole(content, {}, 'POST', '/v1/collaborators/import')).status).toBe(202);
  });
});

test('rejects too many parts', async () => {
  const many = await sendWhole(typePart.repeat(30) + end);
  expect(many.body.details).toEqual({ body: [{ code: 'too_long', message: expect.any(String) }] });
  const files = await sendWhole(`${filePart}${pdf}\r\n`.repeat(6) + typePart + end);
  expect(files.status).toBe(400);
  await expectNoLeftovers();
});

test('rejects by Content-Length without reading', async () => {
  const socket = await startUpload({ 'Content-Length': String(100 * 1024 * 1024) });
  expect((await readResponse(socket)).status).toBe(413);
});

test.each([
  ['the file', filePart],
  ['a file that was refused already', filePart.replace('application/pdf', 'image/png')],
  ['a part that does not belong there', filePart.replace('"file"', '"other"')],
])('responds to an endless %s as soon as it exceeds the limit', async (_, part) => {
  const socket = await startUpload();
  const responsePromise = readResponse(socket);
  await chunk(socket, part);
  await chunk(socket, pdf);
  let sent = 0;
  let done = false;
  void responsePromise.then(() => {
    done = true;
  });
  for (const some = Buffer.alloc(512 * 1024); sent < 60 && !done; sent++) await chunk(socket, some);
  const { status, body } = await responsePromise;
  expect([status, body.error]).toEqual([413, 'payload_too_large']);
  expect(sent).toBeLessThan(60);
  await expectNoLeftovers();
  socket.destroy();
});

test('cleans up if the client disconnects midway', async () => {
  const before = await documents();
  const socket = await startUpload();
  await chunk(socket, filePart);
  await chunk(socket, pdf);
  await chunk(socket, Buffer.alloc(300_000));
  await eventually(async () => expect(await objects(app)).not.toEqual(stored)); // a draft
  socket.destroy();
  await expectNoLeftovers();
  expect(await documents()).toBe(before);
});

test('if the person is deleted during the upload, returns 404 and removes the file', async () => {
  const person = { name: 'Gone Soon', email: 'gone.soon@example.com', position: 'x', department: 'y' };
  const { body: deleted } = await app.admin.post('/v1/collaborators', person).expect(201);
  const socket = await startUpload({}, 'POST', `/v1/collaborators/${deleted.id}/documents`);
  await chunk(socket, filePart);
  await chunk(socket, pdf);
  await chunk(socket, Buffer.alloc(300_000));
  await eventually(async () => expect(await objects(app)).not.toEqual(stored));
  await app.admin.delete(`/v1/collaborators/${deleted.id}`).expect(200);
  await chunk(socket, `\r\n${typePart}${end}`);
  socket.write('0\r\n\r\n');
  expect((await readResponse(socket)).status).toBe(404);
  await expectNoLeftovers();
});

test('after a failure with unknown outcome, leaves the file to the sweep', async () => {
  await app.database.query('alter table documents rename to documents_away');
  try {
    await upload(app.admin, app.report.collaborator_id).expect(500);
  } finally {
    await app.database.query('alter table documents_away rename to documents');
  }
  expect(await objects(app)).toHaveLength(stored.length + 1);
});

test('field names special in JavaScript are plain names', async () => {
  const { body } = await app.admin
    .post('/v1/collaborators')
    .type('json')
    .send('{"__proto__": 1, "constructor": 2}')
    .expect(400);
  expect(Object.keys(body.details)).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'name']));
});
