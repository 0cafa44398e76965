/** Names of query parameters that clients make up. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const refused = async (query: string) => (await app.admin.get(`/v1/collaborators?${query}`).expect(400)).body;
const unknown = [{ code: 'field_not_allowed', message: 'There is no such field.' }];

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
  expect(long.message).toHaveLength(1_000);
});
