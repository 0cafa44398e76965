import sharp from 'sharp';
import { createFileLinks } from '../../../../src/platform/files/links.ts';
import { collaboratorColumns } from '../../../../src/product/access/records.ts';
import {
  collaboratorEtag,
  collaboratorResponse,
} from '../../../../src/product/collaborators/responses/collaborator-response.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { fetchFile, objects, picture } from '../../../helpers/resources/documents.ts';
import { processorTime } from '../../../helpers/timing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = (id: string) => `/v1/collaborators/${id}/photo`;
const sent = async (client: TestClient, id: string, photo?: Buffer) =>
  client
    .put(path(id))
    .type('json')
    .send(JSON.stringify({ content_base64: (photo ?? (await picture())).toString('base64') }));
const sentAsForm = (client: TestClient, id: string, photo: Buffer, name = 'file') =>
  client.put(path(id)).attach(name, photo, 'me.png');

describe('succeeds', () => {
  test('accepts JSON, and returns the URL of the photo', async () => {
    const { body, status, headers } = await sent(app.admin, app.report.collaborator_id);
    expect(status).toBe(200);
    const { type, bytes } = await fetchFile(body.avatar_url);
    expect(type).toBe('image/webp');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
    const { body: reread, headers: read } = await app.admin
      .get(`/v1/collaborators/${app.report.collaborator_id}`)
      .expect(200);
    expect(reread).toEqual(body);
    expect(read.etag).toBe(headers.etag);
  });

  test('accepts a form', async () => {
    const { body } = await sentAsForm(app.admin, app.report.collaborator_id, await picture()).expect(200);
    expect((await fetchFile(body.avatar_url)).status).toBe(200);
  });

  test('managers set photos of their team, employees their own', async () => {
    expect((await sent(app.manager, app.report.collaborator_id)).status).toBe(200);
    expect((await sent(app.employee, app.employee.collaborator_id)).status).toBe(200);
    const { body: user } = await app.employee.get('/auth/user').expect(200);
    expect((await fetchFile(user.avatar_url)).type).toBe('image/webp');
  });

  test('lists include the photo', async () => {
    const { body } = await app.report.get('/v1/collaborators').expect(200);
    expect(body.data[0].avatar_url).toContain('/files/');
  });

  test('a new photo replaces the old one, which is removed', async () => {
    const { body: before, headers: first } = await sent(app.admin, app.manager.collaborator_id);
    const stored = await objects(app);
    const { body: after, headers: second } = await sent(app.admin, app.manager.collaborator_id);
    expect(after.avatar_url).not.toBe(before.avatar_url);
    expect(second.etag).not.toBe(first.etag);
    expect(await objects(app)).toHaveLength(stored.length);
    expect((await fetchFile(before.avatar_url)).status).toBe(404);
  });

  test('a new URL for the same photo doesn’t change the ETag', async () => {
    const { body } = await sent(app.admin, app.manager.collaborator_id);
    const tenant = app.database.db.tenant(app.company_id);
    const columns = tenant.selectFrom('collaborators').select(collaboratorColumns);
    const row = await columns.where('id', '=', body.id).executeTakeFirstOrThrow();
    const member = { collaborator_id: app.admin.collaborator_id, role: 'admin' as const };
    const photoAfter = (hours: number) => {
      const links = createFileLinks(app.config, app.base_url, () => Date.now() + hours * 3_600_000);
      const viewer = { caller: { scopes: ['salary:read'] }, member, tenant, files: { links } };
      return { etag: collaboratorEtag(row, viewer), url: collaboratorResponse(row, viewer).avatar_url };
    };
    expect(photoAfter(50).url).not.toBe(photoAfter(0).url);
    expect(photoAfter(50).etag).toBe(photoAfter(0).etag);
  });
});

describe('refuses bad input', () => {
  let stored: string[];
  beforeEach(async () => {
    stored = await objects(app);
  });
  afterEach(async () => {
    expect(await objects(app)).toEqual(stored);
  });

  const refused = async (body: unknown): Promise<Record<string, { code: string }[]>> => {
    const request = app.admin.put(path(app.report.collaborator_id)).type('json');
    const response = await request.send(JSON.stringify(body)).expect(400);
    expect(response.body.error).toBe('validation_error');
    return response.body.details;
  };

  test.each([
    ['no photo', {}, 'required'],
    ['null', { content_base64: null }, 'invalid_type'],
    ['nothing in it', { content_base64: '' }, 'too_short'],
    ['no base64', { content_base64: 'a photo!' }, 'invalid_format'],
    ['base64 that ends in the middle', { content_base64: 'QUJDR' }, 'invalid_format'],
    ['a text', { content_base64: Buffer.from('just a text').toString('base64') }, 'invalid_format'],
  ])('rejects content: %s', async (_, body, code) => {
    expect((await refused(body)).content_base64!.map((error) => error.code)).toContain(code);
  });

  test('reports all unknown fields at once', async () => {
    expect(Object.keys(await refused({ url: 'https://example.com/me.png' })).sort()).toEqual(['content_base64', 'url']);
  });

  test('rejects a corrupt image and an unsupported format', async () => {
    const broken = (await picture(900, 900)).subarray(0, 900);
    for (const photo of [broken, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]) {
      const { body } = await sentAsForm(app.admin, app.report.collaborator_id, photo).expect(400);
      expect(body.details).toEqual({ file: [{ code: 'invalid_format', message: expect.any(String) }] });
    }
  });

  test('rejects a form with other parts, two photos, or none', async () => {
    const one = await picture();
    const id = app.report.collaborator_id;
    const { body: other } = await sentAsForm(app.admin, id, one, 'image').expect(400);
    expect(Object.keys(other.details).sort()).toEqual(['file', 'image']);
    const { body: two } = await sentAsForm(app.admin, id, one).attach('file', one, 'b.png').expect(400);
    expect(two.details.file).toMatchObject([{ code: 'too_long' }]);
    const { body: text } = await app.admin.put(path(id)).field('file', one.toString('base64')).expect(400);
    expect(text.details.file).toMatchObject([{ code: 'invalid_type' }]);
    const { body: none } = await app.admin.put(path(id)).field('note', 'x').expect(400);
    expect(none.details).toMatchObject({ file: [{ code: 'required' }], note: [{ code: 'field_not_allowed' }] });
  });

  test('rejects more than 5 MB in both formats', async () => {
    const large = Buffer.concat([await picture(), Buffer.alloc(5 * 1024 * 1024)]);
    expect((await sent(app.admin, app.report.collaborator_id, large)).status).toBe(413);
    const { body } = await sentAsForm(app.admin, app.report.collaborator_id, large).expect(413);
    expect(body.error).toBe('payload_too_large');
    expect((await sent(app.admin, app.report.collaborator_id, Buffer.alloc(8 * 1024 * 1024))).status).toBe(413);
  });

  test('reads a body just below the limit', async () => {
    const text = { content_base64: Buffer.alloc(5 * 1024 * 1024).toString('base64') };
    expect((await refused(text)).content_base64).toMatchObject([{ code: 'invalid_format' }]);
  });

  test.each(['=', 'A'])('rejects megabytes of %j followed by invalid base64 early', async (character) => {
    const photo = `${character.repeat(6_000_000)}!`;
    const errors = [{ code: 'invalid_format' }];
    const work = async () => expect((await refused({ content_base64: photo })).content_base64).toMatchObject(errors);
    expect(await processorTime(work)).toBeLessThan(5_000);
  });

  test('rejects another media type', async () => {
    await app.admin.put(path(app.report.collaborator_id)).type('image/png').send('x').expect(415);
  });
});

describe('forbidden by role', () => {
  test('returns 404 out of reach, whatever the body', async () => {
    await app.manager.put(path(app.employee.collaborator_id), {}).expect(404);
    await app.employee.put(path(app.report.collaborator_id), {}).expect(404);
  });

  test('rejects a read-only token', async () => {
    const reader = await app.as('admin', { scopes: ['collaborators:read'] });
    await reader.put(path(app.report.collaborator_id), {}).expect(403);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.put(path(app.report.collaborator_id), {}).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.photo_updated, and adds a history entry, without a URL', async () => {
    const { body } = await sent(app.admin, app.report.collaborator_id);
    const [event] = await app.database.query<{ payload: string }>(
      "select payload from events where name = 'collaborator.photo_updated' order by created_at desc, id desc limit 1",
    );
    expect(JSON.parse(event!.payload)).toEqual({
      collaborator_id: body.id,
      name: body.name,
      email: body.email,
      has_photo: true,
      changed_by: app.admin.user_id,
      changed_at: body.updated_at,
    });
    const { body: history } = await app.admin.get(`/v1/collaborators/${body.id}/history?limit=1`).expect(200);
    expect(history.data[0]).toMatchObject({ action: 'photo_updated', description: 'Photo changed', changes: [] });
  });
});
