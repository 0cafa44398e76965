import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { startVirusScanner, unscannable, virus } from '../../../helpers/network/virus-scanner.ts';
import { fetchFile, objects, pdf, type UploadParts, upload, withForm } from '../../../helpers/resources/documents.ts';

let app: TestApp;
let scanner: Awaited<ReturnType<typeof startVirusScanner>>;
beforeAll(async () => {
  scanner = await startVirusScanner();
  app = await testApp({ CLAMD_URL: scanner.url });
});
afterAll(async () => {
  await app.close();
  scanner.close();
});

const path = (id: string) => `/v1/collaborators/${id}/documents`;
const countOf = async (table: 'documents' | 'events') =>
  (await app.database.query<{ total: number }>(`select count(*)::int as total from ${table}`))[0]!.total;

describe('succeeds', () => {
  test('an admin can send every field', async () => {
    const parts = { filename: 'Vertrag für João.pdf', media_type: 'application/pdf', description: 'Unterschrieben' };
    const { body, headers } = await upload(app.admin, app.report.collaborator_id, parts).expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      collaborator_id: app.report.collaborator_id,
      name: 'Vertrag für João.pdf',
      type: 'contract',
      media_type: 'application/pdf',
      size: pdf.length,
      url: expect.stringContaining(`${app.base_url}/files/`),
      description: 'Unterschrieben',
      uploaded_by: app.admin.user_id,
      uploaded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(headers.location).toBe(`${path(app.report.collaborator_id)}/${body.id}`);
    const { body: reread } = await app.admin.get(headers.location!).expect(200);
    expect(reread).toMatchObject({ ...body, url: expect.any(String) });
    const [row] = await app.database.query<{ key: string }>('select key from documents where id = $1', [body.id]);
    expect(row!.key.startsWith(`${app.company_id}/documents/`)).toBe(true);
    expect(await objects(app)).toContain(row!.key);
  });

  test.each([
    ['a small file', pdf],
    ['a large file', Buffer.concat([pdf, Buffer.alloc(200_000, '%')])],
  ])('stores the same document from JSON: %s', async (_, file) => {
    const send = { filename: 'ação.pdf', content_base64: file.toString('base64'), type: 'contract', description: '' };
    const { body, headers } = await app.admin.post(path(app.report.collaborator_id)).send(send).expect(201);
    const { body: form } = await upload(app.admin, app.report.collaborator_id, { filename: 'ação.pdf', file });
    const { id, url, uploaded_at: uploadedAt, ...document } = body;
    expect(form).toEqual({
      ...document,
      id: expect.any(String),
      url: expect.any(String),
      uploaded_at: expect.any(String),
    });
    expect(headers.location).toBe(`${path(app.report.collaborator_id)}/${id}`);
    expect((await fetchFile(url)).bytes.equals(file)).toBe(true);
    expect(Date.parse(uploadedAt)).not.toBeNaN();
  });

  test('accepts a missing or empty description, and parts in any order', async () => {
    const { body } = await upload(app.admin, app.report.collaborator_id, { description: '' }).expect(201);
    expect(body.description).toBeNull();
    const { body: other } = await app.admin
      .post(path(app.report.collaborator_id))
      .field('type', 'other')
      .attach('file', pdf, 'a.pdf')
      .expect(201);
    expect(other).toMatchObject({ type: 'other', description: null });
  });

  test('accepts a description of 500 characters in any script', async () => {
    const description = '😀é'.repeat(250);
    const { body } = await upload(app.admin, app.report.collaborator_id, { description }).expect(201);
    expect(body.description).toBe(description);
  });

  test('managers upload for their team, employees for themselves, with every type', async () => {
    await upload(app.manager, app.report.collaborator_id, { type: 'policy' }).expect(201);
    await upload(app.manager, app.manager.collaborator_id, { type: 'medical' }).expect(201);
    await upload(app.employee, app.employee.collaborator_id, { type: 'identification' }).expect(201);
  });

  test('with an Idempotency-Key, stores once and repeats the response', async () => {
    const send = (parts: UploadParts = {}) =>
      upload(app.admin, app.report.collaborator_id, parts).set('Idempotency-Key', 'upload-1');
    const [rows, stored] = [await countOf('documents'), (await objects(app)).length];
    const first = await send().expect(201);
    const second = await send().expect(201);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    for (const parts of [{ description: 'other' }, { filename: 'b.pdf' }, { file: Buffer.concat([pdf, pdf]) }]) {
      expect((await send(parts).expect(422)).body.error).toBe('idempotency_key_reused');
    }
    expect(await countOf('documents')).toBe(rows + 1);
    expect(await objects(app)).toHaveLength(stored + 1);
  });

  test('stores once if two requests with the same key arrive at the same time', async () => {
    const rows = await countOf('documents');
    const send = () => upload(app.admin, app.report.collaborator_id).set('Idempotency-Key', 'upload-2');
    const responses = await Promise.all([send(), send(), send()]);
    for (const { status } of responses) expect([201, 409]).toContain(status);
    await send().expect(201);
    expect(await countOf('documents')).toBe(rows + 1);
  });
});

describe('refuses bad input', () => {
  let before: [documents: number, events: number, objects: number];
  const now = async (): Promise<typeof before> => [
    await countOf('documents'),
    await countOf('events'),
    (await objects(app)).length,
  ];
  beforeEach(async () => {
    before = await now();
  });
  afterEach(async () => {
    await eventually(async () => expect(await now()).toEqual(before)); // files are removed after the response
  });

  const codes = (body: { error: string; details: Record<string, { code: string }[]> }) => {
    expect(body.error).toBe('validation_error');
    return Object.fromEntries(Object.entries(body.details).map(([field, all]) => [field, all.map(({ code }) => code)]));
  };
  const post = () => app.admin.post(path(app.report.collaborator_id));

  test.each<[string, UploadParts, object]>([
    ['no type', { type: null }, { type: ['required'] }],
    ['an unknown type', { type: 'diary' }, { type: ['not_in_enum'] }],
    ['501 characters of description', { description: 'x'.repeat(501) }, { description: ['too_long'] }],
    ['a NUL in the description', { description: 'a\0b' }, { description: ['invalid_format'] }],
    ['an empty file', { file: Buffer.alloc(0) }, { file: ['too_short'] }],
    ['a script', { file: Buffer.from('#!/bin/sh\n'), filename: 'a.sh' }, { file: ['invalid_format'] }],
    [
      'everything at once',
      { file: Buffer.from('<html>'), type: 'diary', description: 'x'.repeat(501) },
      { file: ['invalid_format'], type: ['not_in_enum'], description: ['too_long'] },
    ],
  ])('rejects %s', async (_, parts, expected) => {
    const { body } = await upload(app.admin, app.report.collaborator_id, parts).expect(400);
    expect(codes(body)).toEqual(expected);
  });

  test('rejects a missing file, a file without a name, and text instead of a file', async () => {
    expect(codes((await post().field('type', 'other').expect(400)).body)).toEqual({ file: ['required'] });
    const boundary = 'nameless';
    const part = (head: string, content: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    const nameless = `${part('name="type"', 'other')}${part('name="file"\r\nContent-Type: application/octet-stream', pdf.toString())}--${boundary}--\r\n`;
    const unnamed = await post().type(`multipart/form-data; boundary=${boundary}`).send(nameless).expect(400);
    expect(codes(unnamed.body)).toEqual({ file: ['required'] });
    const text = await post().field('type', 'other').field('file', 'content').expect(400);
    expect(codes(text.body)).toEqual({ file: ['invalid_type'] });
  });

  test('rejects two files and other duplicate parts', async () => {
    const two = post().field('type', 'other').attach('file', pdf, 'a.pdf').attach('file', pdf, 'b.pdf');
    expect(codes((await two.expect(400)).body)).toEqual({ file: ['too_long'] });
    const types = upload(app.admin, app.report.collaborator_id).field('type', 'other');
    expect(codes((await types.expect(400)).body)).toEqual({ type: ['invalid_type', 'not_in_enum'] });
  });

  test('rejects a wrong name for the file part, and unknown parts', async () => {
    const wrong = post().field('type', 'other').attach('document', pdf, 'a.pdf');
    expect(codes((await wrong.expect(400)).body)).toEqual({ file: ['required'], document: ['field_not_allowed'] });
    const more = upload(app.admin, app.report.collaborator_id).field('owner', 'me').field('__proto__', 'x');
    const expected = { owner: ['field_not_allowed'], ['__proto__']: ['field_not_allowed'] };
    expect(codes((await more.expect(400)).body)).toEqual(expected);
    const nested = upload(app.admin, app.report.collaborator_id).field('description[en]', 'x');
    expect(codes((await nested.expect(400)).body)).toEqual({ 'description[en]': ['field_not_allowed'] });
  });

  test('rejects an empty body and another form encoding', async () => {
    expect(codes((await post().expect(400)).body)).toEqual({ body: ['required'] });
    const { body } = await post().type('form').send('type=other').expect(415);
    expect(body.error).toBe('unsupported_media_type');
  });

  test('reports JSON errors by field', async () => {
    const none = { filename: ['required'], content_base64: ['required'] };
    expect(codes((await post().send({ type: 'other' }).expect(400)).body)).toEqual(none);
    const wrong = { filename: 'a.pdf', content_base64: 'AAAA', type: 'other' };
    expect(codes((await post().send(wrong).expect(400)).body)).toEqual({ content_base64: ['invalid_format'] });
    const notBase64 = { ...wrong, content_base64: 'a b!' };
    expect(codes((await post().send(notBase64).expect(400)).body)).toEqual({ content_base64: ['invalid_format'] });
    const long = { ...wrong, content_base64: Buffer.alloc(100_000, 'x').toString('base64'), type: 'diary' };
    const both = { content_base64: ['invalid_format'], type: ['not_in_enum'] };
    expect(codes((await post().send(long).expect(400)).body)).toEqual(both);
    const unknown = { ...wrong, content_base64: pdf.toString('base64'), file: 'x' };
    expect(codes((await post().send(unknown).expect(400)).body)).toEqual({ file: ['field_not_allowed'] });
  });

  test('rejects a file over 10 MB', async () => {
    const file = Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)]);
    const { body } = await upload(app.admin, app.report.collaborator_id, { file }).expect(413);
    expect(body.error).toBe('payload_too_large');
    // The client would need a second to serialize it.
    const json = JSON.stringify({ filename: 'a.pdf', content_base64: file.toString('base64'), type: 'other' });
    expect((await post().type('json').send(json).expect(413)).body).toEqual(body);
  });

  const withText = (text: string) => Buffer.concat([pdf, Buffer.from(text)]);

  test('rejects an infected file and removes it', async () => {
    const id = app.report.collaborator_id;
    const { body } = await upload(app.admin, id, { file: withText(virus) }).expect(422);
    expect(body.error).toBe('file_infected');
    const { body: both } = await upload(app.admin, id, { file: withText(virus), type: 'diary' }).expect(400);
    expect(codes(both)).toEqual({ type: ['not_in_enum'] });
  });

  test('returns 503 and stores nothing if the scanner is unavailable', async () => {
    const { body } = await upload(app.admin, app.report.collaborator_id, { file: withText(unscannable) }).expect(503);
    expect(body.error).toBe('service_unavailable');
  });

  test('removes the stored file if the Idempotency-Key is invalid or a query parameter unknown', async () => {
    const { body } = await upload(app.admin, app.report.collaborator_id)
      .set('Idempotency-Key', 'x'.repeat(256))
      .expect(400);
    expect(body.error).toBe('invalid_parameter');
    await withForm(app.admin.post(`${path(app.report.collaborator_id)}?x=1`)).expect(400);
  });
});

describe('forbidden by role', () => {
  test('rejects types that managers can’t upload for their team, as a form and as JSON', async () => {
    const stored = await objects(app);
    const id = app.report.collaborator_id;
    for (const type of ['medical', 'identification', 'tax', 'payslip', 'contract']) {
      const { body } = await upload(app.manager, id, { type }).expect(403);
      expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
      const json = { filename: 'a.pdf', content_base64: pdf.toString('base64'), type };
      expect((await app.manager.post(path(id)).send(json).expect(403)).body).toEqual(body);
    }
    // Callers without permission don't learn about other errors.
    await upload(app.manager, id, { type: 'medical', description: 'x'.repeat(501) }).expect(403);
    expect(await objects(app)).toEqual(stored);
  });

  test('returns 404 out of reach, whatever the body', async () => {
    const nonsense = { file: Buffer.alloc(0), type: 'diary' };
    await upload(app.manager, app.employee.collaborator_id, nonsense).expect(404);
    await upload(app.employee, app.report.collaborator_id, nonsense).expect(404);
  });

  test('rejects a read-only token', async () => {
    const reader = await app.as('admin', { scopes: ['documents:read'] });
    expect((await upload(reader, app.report.collaborator_id).expect(403)).body.error).toBe('insufficient_scope');
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await upload(app.outsider, app.report.collaborator_id).expect(404);
  });
});

describe('emits', () => {
  test('emits document.uploaded, and adds a history entry, without a URL', async () => {
    const { body } = await upload(app.admin, app.report.collaborator_id, { description: 'Signed' }).expect(201);
    const { url, media_type: mediaType, ...announced } = body;
    const [event] = await app.database.query<{ payload: string }>(
      "select payload from events where name = 'document.uploaded' order by created_at desc, id desc limit 1",
    );
    expect(JSON.parse(event!.payload)).toEqual(announced);
    const { body: history } = await app.admin
      .get(`/v1/collaborators/${app.report.collaborator_id}/history?limit=1`)
      .expect(200);
    expect(history.data[0]).toMatchObject({
      action: 'document_uploaded',
      user_id: app.admin.user_id,
      changes: [{ field: 'documents', from: null, to: { id: body.id, name: 'contract.pdf', type: 'contract' } }],
    });
  });
});
