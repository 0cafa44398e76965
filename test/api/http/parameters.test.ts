/** Query parameters with unusual names and boundary values. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());

const refused = async (query: string) => (await app.admin.get(`/v1/collaborators?${query}`).expect(400)).body;
const unknown = [{ code: 'field_not_allowed', message: 'No field of this name is known here.' }];

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('treats %s like any other name', async (name) => {
  const { error, details } = await refused(`${name}=1`);
  expect([error, Object.entries(details)]).toEqual(['invalid_parameter', [[name, unknown]]]);
});

test('treats an inherited property name as unknown, given once or twice', async () => {
  expect(Object.keys((await refused('valueOf=1&valueOf=2')).details)).toEqual(['valueOf']);
});

test('with very many or very long parameters, keeps the message short and the details complete', async () => {
  const many = await refused(Array.from({ length: 100 }, (_, n) => `p${n}=1`).join('&'));
  expect(many.message).toBe("The parameters p0, p1, p2, p3, p4 and others can't be used like this.");
  expect(Object.keys(many.details)).toHaveLength(100);
  const long = await refused(`${'x'.repeat(5_000)}=1`);
  expect(long.message.length).toBeLessThan(200);
  expect(Object.keys(long.details)).toEqual([`${'x'.repeat(119)}…`]);
});

describe('integers are decimal digits', () => {
  test.each(['0x10', '0b11', '0o7', '1e1', '10.0', '10.0000000000000000001', '%201%20', '%2B5', '1_0', '٣', ''])(
    'rejects limit=%s',
    async (text) => {
      for (const name of ['limit', 'page', 'per_page']) {
        const { error, details } = await refused(`${name}=${encodeURI(decodeURI(text))}`);
        expect([error, details[name][0].code]).toEqual(['invalid_parameter', 'invalid_type']);
      }
    },
  );

  test('within a bound named in the error', async () => {
    await app.admin.get('/v1/collaborators?limit=007').expect(200);
    const errors = async (text: string) => (await refused(`limit=${text}`)).details.limit;
    expect(await errors('-1')).toEqual([{ code: 'out_of_range', message: 'Must be at least 1.' }]);
    expect(await errors('101')).toEqual([{ code: 'out_of_range', message: 'Must be at most 100.' }]);
    expect(await errors('9'.repeat(400))).toEqual([{ code: 'out_of_range', message: 'Must be at most 100.' }]);
  });

  test('on every operation with a limit', async () => {
    for (const path of ['/v1/events', '/v1/audit', '/v1/connections', '/v1/imports']) {
      await app.admin.get(`${path}?limit=10`).expect(200);
      const { body } = await app.admin.get(`${path}?limit=0x10`).expect(400);
      expect(body.details.limit).toEqual([
        { code: 'invalid_type', message: 'Must be a whole number, in decimal digits.' },
      ]);
    }
  });
});

test.each(['page=1&page=2', 'status=active&status=active', 'search=a&search=b&search=c', 'department=x&department='])(
  'rejects a repeated parameter: %s',
  async (query) => {
    const { error, details } = await refused(query);
    const twice = [{ code: 'invalid_type', message: 'This parameter was sent twice. Send it once.' }];
    expect([error, details]).toEqual(['invalid_parameter', { [query.split('=')[0]!]: twice }]);
  },
);

test('reports a repeated unknown parameter as unknown', async () => {
  expect((await refused('colour=a&colour=b')).details).toEqual({ colour: unknown });
});

test('search ignores white space around and between words', async () => {
  const named = { email: 'blanca@example.com', name: 'Blanca Nieves Prado', position: 'x', department: 'y' };
  const { id } = (await app.admin.post('/v1/collaborators', named).expect(201)).body;
  const found = async (text: string) => {
    const { body } = await app.admin.get(`/v1/collaborators?search=${encodeURIComponent(text)}`).expect(200);
    return body.data.map((each: { id: string }) => each.id);
  };
  for (const text of ['blanca nieves', ' blanca nieves ', 'blanca  nieves', 'nieves\t \u00a0prado', '\nblanca'])
    expect([text, await found(text)]).toEqual([text, [id]]);
  expect(await found('blancanieves')).toEqual([]);
});

test('accepts times at the end of the calendar that fall in another year in UTC', async () => {
  const { body } = await app.admin.post('/v1/webhooks', { url: 'http://127.0.0.1:9009/', events: ['*'] }).expect(201);
  const ends = ['9999-12-31T23:59:59-14:00', '9999-12-31t23:59:59.9999999-23:59', '0000-01-01T00:00:00+14:00'];
  for (const time of ends.map(encodeURIComponent)) {
    await app.admin.get(`/v1/collaborators?updated_since=${time}`).expect(200);
    await app.admin.get(`/v1/audit?since=${time}&until=${time}`).expect(200);
    await app.admin.get(`/v1/events?since=${time}`).expect(200);
    await app.admin.get(`/v1/webhooks/${body.id}/deliveries?since=${time}&until=${time}`).expect(200);
  }
});
