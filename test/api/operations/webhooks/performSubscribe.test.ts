import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from webhooks'));

const path = '/v1/webhooks/perform-subscribe';
const url = 'http://127.0.0.1:9009/catch/412873/bkq2v9/';
const subscribe = (body: unknown) => app.admin.post(path, body);
const count = async () => (await app.database.query('select 1 from webhooks')).length;

describe('succeeds', () => {
  test('creates a subscription to one event in the flat format, and returns its secret', async () => {
    const { body, headers } = await subscribe({ target_url: url, event: 'collaborator.created' }).expect(201);
    expect(body).toMatchObject({
      url,
      events: ['collaborator.created'],
      description: null,
      headers: {},
      payload_format: 'flat',
      status: 'active',
      created_by: app.admin.user_id,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(headers.location).toBe(`/v1/webhooks/${body.id}`);
    const { secret: _, ...visible } = body;
    expect((await app.admin.get('/v1/webhooks').expect(200)).body.data).toEqual([visible]);
    await app.admin.delete(headers.location!).expect(200);
    expect(await count()).toBe(0);
  });

  test('accepts hookUrl as an alias; target_url takes precedence', async () => {
    expect((await subscribe({ hookUrl: url, event: '*' }).expect(201)).body.url).toBe(url);
    const both = { hookUrl: 'http://127.0.0.1:9010/', target_url: url, event: 'document.*' };
    expect((await subscribe(both).expect(201)).body.url).toBe(url);
  });

  test('repeating the request creates another subscription', async () => {
    for (let i = 0; i < 2; i += 1) await subscribe({ target_url: url, event: '*' }).expect(201);
    expect(await count()).toBe(2);
  });
});

describe('refuses bad input', () => {
  test.each([
    [{}, { event: ['required'] }],
    [{ event: '*' }, { target_url: ['required'] }],
    [{ event: 'no.such' }, { target_url: ['required'], event: ['not_in_enum'] }],
    [
      { target_url: 'ftp://127.0.0.1/', event: 'rocket.*' },
      { target_url: ['invalid_format'], event: ['not_in_enum'] },
    ],
    [{ hookUrl: 'ftp://127.0.0.1/', event: '*' }, { hookUrl: ['invalid_format'] }],
    [{ target_url: 'nowhere', event: '*' }, { target_url: ['invalid_format'] }],
    [{ target_url: 'https://a..b/', event: '*' }, { target_url: ['invalid_format'] }],
    [{ hookUrl: 'https://*.evil.example/', event: '*' }, { hookUrl: ['invalid_format'] }],
    [{ target_url: url, event: '*', events: ['*'] }, { events: ['field_not_allowed'] }],
  ])('rejects %j', async (sent, expected) => {
    const { body } = await subscribe(sent).expect(400);
    const found = Object.entries(body.details as Record<string, { code: string }[]>);
    expect(Object.fromEntries(found.map(([field, errors]) => [field, errors.map(({ code }) => code)]))).toEqual(
      expected,
    );
    expect(await count()).toBe(0);
  });
});

describe('conflicts', () => {
  test('counts toward the limit of 20 per company', async () => {
    await app.admin.post('/v1/webhooks', { url, events: ['*'] }).expect(201);
    const responses = await Promise.all(Array.from({ length: 21 }, () => subscribe({ target_url: url, event: '*' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(201), 409, 409]);
    expect(await count()).toBe(20);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) {
      await client.post(path, { target_url: url, event: '*' }).expect(403);
    }
    expect(await count()).toBe(0);
  });
});

describe('invisible to another company', () => {
  test('the subscription belongs to the company that created it', async () => {
    const { body } = await subscribe({ target_url: url, event: '*' }).expect(201);
    await app.outsider.get(`/v1/webhooks/${body.id}`).expect(404);
    expect((await app.outsider.get('/v1/webhooks').expect(200)).body.data).toEqual([]);
  });
});
