/** Query parameters: names that clients make up, and values at the edge of what there is. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());

const refused = async (query: string) => (await app.admin.get(`/v1/collaborators?${query}`).expect(400)).body;
const unknown = [{ code: 'field_not_allowed', message: 'No field of this name is known here.' }];

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a name like any other', async (name) => {
  const { error, details } = await refused(`${name}=1`);
  expect([error, Object.entries(details)]).toEqual(['invalid_parameter', [[name, unknown]]]);
});

test('one that every object has is no value, given once or twice', async () => {
  expect(Object.keys((await refused('valueOf=1&valueOf=2')).details)).toEqual(['valueOf']);
});

test('very many, or very long ones: the sentence stays short, the details are complete', async () => {
  const many = await refused(Array.from({ length: 100 }, (_, n) => `p${n}=1`).join('&'));
  expect(many.message).toBe('The parameters p0, p1, p2, p3, p4 and others can not be used like this.');
  expect(Object.keys(many.details)).toHaveLength(100);
  const long = await refused(`${'x'.repeat(5_000)}=1`);
  expect(long.message.length).toBeLessThan(200);
  expect(Object.keys(long.details)).toEqual([`${'x'.repeat(119)}…`]);
});

test('times at the end of the calendar, which are in another year by UTC, are times', async () => {
  const { body } = await app.admin.post('/v1/webhooks', { url: 'http://127.0.0.1:9009/', events: ['*'] }).expect(201);
  const ends = ['9999-12-31T23:59:59-14:00', '9999-12-31t23:59:59.9999999-23:59', '0000-01-01T00:00:00+14:00'];
  for (const time of ends.map(encodeURIComponent)) {
    await app.admin.get(`/v1/collaborators?updated_since=${time}`).expect(200);
    await app.admin.get(`/v1/audit?since=${time}&until=${time}`).expect(200);
    await app.admin.get(`/v1/events?since=${time}`).expect(200);
    await app.admin.get(`/v1/webhooks/${body.id}/deliveries?since=${time}&until=${time}`).expect(200);
  }
});
