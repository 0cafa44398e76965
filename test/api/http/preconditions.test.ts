import { expectedTags, isUnmodified, replyOrNotModified } from '../../../src/api/http/responses/preconditions.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { picture } from '../../helpers/resources/documents.ts';

/** How proxies rewrite the ETag `"a"`: nginx and Cloudflare, Caddy, Apache, Jetty, an old Apache, and two in a row. */
const rewritten = [
  '"a"',
  'W/"a"',
  '"a-gzip"',
  '"a-br"',
  '"a-zstd"',
  '"a-deflate"',
  '"a--gzip"',
  '"a;gzip"',
  '"a"-gzip',
  'W/"a-gzip"',
  '"a-br-gzip"',
];

test('If-Match matches any version, or the listed ones', () => {
  expect(expectedTags(undefined)).toBeUndefined();
  expect(expectedTags(' * ')).toBeUndefined();
  expect(expectedTags('"a", W/"b"')).toEqual(['"a"', '"b"']);
  expect(expectedTags('nonsense')).toEqual([]);
  expect(expectedTags('"a.manager"')).toEqual(['"a"']);
});

test.each(rewritten)('If-Match: %s matches the ETag "a"', (tag) => {
  expect(expectedTags(tag)).toContain('"a"');
  expect(expectedTags(`"b", ${tag.replace('a', 'a.manager')}`)).toContain('"a"');
  expect(expectedTags(tag)).not.toContain('"b"');
});

test('an ETag that happens to end like an encoding matches itself', () => {
  expect(expectedTags('"xyz-br"')).toContain('"xyz-br"');
  expect(expectedTags('"xyz-br-gzip"')).toContain('"xyz-br"');
  expect(isUnmodified('"xyz-br-gzip"', '"xyz-br"')).toBe(true);
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['*', true],
  ...rewritten.map((tag): [string, boolean] => [tag, true]),
  ['"b", "a"', true],
  ['"b"', false],
  ['"b-gzip"', false],
  ['a', false],
])('If-None-Match: %s', (header, unmodified) => {
  expect(isUnmodified(header, '"a"')).toBe(unmodified);
});

test('returns 304 for the current version, where the contract declares it', () => {
  const reply = { status: 200, headers: { ETag: '"a"' }, body: {} };
  const evaluate = (header: string, statuses: number[]) =>
    replyOrNotModified(
      {
        headers: { 'if-none-match': header },
        operation: { responseValidators: new Map(statuses.map((one) => [one, undefined])) },
      } as never,
      reply,
    );
  expect(evaluate('"a"', [200, 304])).toEqual({ status: 304, headers: { ETag: '"a"' } });
  expect(evaluate('"b"', [200, 304])).toBe(reply);
  expect(evaluate('"a"', [200])).toBe(reply);
});

describe('the service', () => {
  let app: TestApp;
  let person: string;
  beforeAll(async () => {
    app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    person = `/v1/collaborators/${app.report.collaborator_id}`;
  });
  afterAll(() => app.close());

  const marked = (etag: string, how: string) => how.replace('a', () => etag.slice(1, -1));
  const tagOf = async (path: string) => (await app.admin.get(path).expect(200)).headers.etag as string;

  // The tests above check the other forms.
  test.each(['"a"', '"a-gzip"'])('reads, updates, and deletes a person with the ETag as %s', async (how) => {
    const email = `tag${rewritten.indexOf(how)}@example.com`;
    const fields = { name: 'Tag', email, position: 'x', department: 'y' };
    const { id } = (await app.admin.post('/v1/collaborators', fields).expect(201)).body;
    const path = `/v1/collaborators/${id}`;
    const etag = await tagOf(path);
    await app.admin.get(path).set('If-None-Match', marked(etag, how)).expect(304);
    await app.admin.patch(path, { location: 'Faro' }).set('If-Match', marked(etag, how)).expect(200);
    await app.admin.put(path, { location: 'Lagos' }).set('If-Match', marked(etag, how)).expect(412);
    const newer = marked(await tagOf(`${path}?expand=manager`), how);
    await app.admin.put(path, { location: 'Lagos' }).set('If-Match', newer).expect(200);
    await app.admin.delete(path).set('If-Match', newer).expect(412);
    await app.admin
      .delete(path)
      .set('If-Match', marked(await tagOf(path), how))
      .expect(200);
  });

  test('updates the company and an app with a rewritten ETag', async () => {
    const how = '"a-gzip"';
    const redirectUris = ['https://tags.example/cb'];
    const appFields = {
      name: 'App',
      redirect_uris: redirectUris,
      kind: 'confidential',
      scopes: ['collaborators:read'],
    };
    const { client_id: clientId } = (await app.admin.post('/v1/apps', appFields).expect(201)).body;
    for (const [path, change] of [
      ['/v1/company', { name: 'Company' }],
      [`/v1/apps/${clientId}`, { name: 'Other' }],
    ] as const) {
      const tag = marked(await tagOf(path), how);
      if (path === '/v1/company') await app.admin.get(path).set('If-None-Match', tag).expect(304);
      await app.admin.put(path, change).set('If-Match', tag).expect(200);
      await app.admin.put(path, change).set('If-Match', tag).expect(412);
    }
  });

  test('responses with an ETag set no-transform, and others keep their Cache-Control', async () => {
    const contentBase64 = (await picture()).toString('base64');
    const { avatar_url: avatarUrl } = (
      await app.admin.put(`${person}/photo`, { content_base64: contentBase64 }).expect(200)
    ).body;
    const paths = [person, `${person}?expand=manager`, '/v1/company', new URL(avatarUrl).pathname];
    for (const path of [...paths, '/openapi.json', '/docs', '/llms.txt', '/favicon.svg', '/']) {
      const { headers } = await app.admin.get(path).expect(200);
      expect([path, headers.etag]).toEqual([path, expect.stringMatching(/^"[^"]+"$/)]);
      expect([path, headers['cache-control']]).toEqual([path, expect.stringMatching(/.+, no-transform$/)]);
      const known = await app.admin.get(path).set('If-None-Match', `W/${headers.etag}`).expect(304);
      expect(known.headers['cache-control']).toMatch(/.+, no-transform$/);
    }
    const { headers } = await app.admin.get('/v1/collaborators').expect(200);
    expect(headers).not.toHaveProperty('etag');
    expect(headers['cache-control']).toBe('no-store');
  });

  test('PUT, PATCH, and DELETE of an existing record with If-None-Match: * return 412 and change nothing', async () => {
    const url = 'http://127.0.0.1:9009/';
    const hook = (await app.admin.post('/v1/webhooks', { url, events: ['*'] }).expect(201)).body;
    const paths = [person, `${person}/notifications`, '/v1/company'];
    const texts = () => Promise.all(paths.map(async (path) => (await app.admin.get(path).expect(200)).text));
    const before = await texts();
    const expectPreconditionFailed = (test: ReturnType<typeof app.admin.put>) =>
      test.set('If-None-Match', '*').expect(412);
    for (const [path, body] of [
      [person, { location: 'Beja' }],
      [`${person}/notifications`, { channels: { email: false } }],
      ['/v1/company', { name: 'Other' }],
      [`/v1/webhooks/${hook.id}`, { events: ['collaborator.created'] }],
    ] as const) {
      const { body: refusal } = await expectPreconditionFailed(app.admin.put(path, body));
      expect(refusal.error).toBe('precondition_failed');
    }
    await expectPreconditionFailed(app.admin.patch(person, { location: 'Beja' }));
    await expectPreconditionFailed(app.admin.delete(person));
    expect(await texts()).toEqual(before);
    expect((await app.admin.get(`/v1/webhooks/${hook.id}`)).body.events).toEqual(['*']);
  });

  test('a photo with If-None-Match: * is set only if there is none', async () => {
    const path = `/v1/collaborators/${app.employee.collaborator_id}/photo`;
    const contentBase64 = (await picture()).toString('base64');
    const set = () => app.admin.put(path, { content_base64: contentBase64 }).set('If-None-Match', '*');
    const { headers } = await set().expect(200);
    const etag = async () => (await app.admin.get(path.replace('/photo', '')).expect(200)).headers.etag;
    expect(await etag()).toBe(headers.etag);
    expect((await set().expect(412)).body.error).toBe('precondition_failed');
    expect(await etag()).toBe(headers.etag);
    await app.admin.put(path, { content_base64: contentBase64 }).expect(200);
    expect(await etag()).not.toBe(headers.etag);
  });
});
