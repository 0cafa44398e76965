/** Bodies with extremely many members: rejecting them is cheap, and the response is small. */
import { jsonLimits } from '../../../src/api/http/body/json-structure.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { processorTime } from '../../helpers/timing.ts';

const refusal = (error: string) => ({ error, message: expect.any(String) });

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
const photo = () => `/v1/collaborators/${app.employee.collaborator_id}/photo`;
const put = (text: string) => app.employee.put(photo()).set('Content-Type', 'application/json').send(text);

test('rejects 5 MB with 600,000 unknown members as a whole', async () => {
  const text = `{${members(600_000)}}`;
  // The control: parsing alone.
  const parsing = await processorTime(async () => void JSON.parse(text));
  const refusing = await processorTime(async () => {
    const { body, text: response } = await put(text).expect(400);
    expect(body).toEqual(refusal('malformed_json'));
    expect(response.length).toBeLessThan(1_000);
  });
  expect(refusing).toBeLessThan(parsing);
});

test('lists a hundred errors for the maximum number of members', async () => {
  const { body, text } = await put(`{${members(jsonLimits.members)}}`).expect(400);
  expect(Object.keys(body.details)).toHaveLength(100);
  expect(body.message).toContain('details_truncated');
  expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
});

test('rejects a 20 MB file beside unknown members, and a long text where no file belongs', async () => {
  const file = Buffer.alloc(20 * 1024 * 1024, 'name,email\n').toString('base64');
  const send = (text: string) =>
    app.admin.post('/v1/collaborators/import').set('Content-Type', 'application/json').send(text);
  const some = await send(`{"filename":"a.csv","content_base64":"${file}",${members(100)}}`).expect(400);
  expect(Object.keys(some.body.details)).toHaveLength(100);
  const many = await send(`{"filename":"a.csv","content_base64":"${file}",${members(1_000)}}`).expect(400);
  expect(many.body).toEqual(refusal('malformed_json'));
  expect((await send(`{"filename":"a.csv","content":"${file}"}`).expect(413)).body.error).toBe('payload_too_large');
  const twice = `{"content_base64":"${file}","filename":"a.csv","content_base64":"AAAA!"}`;
  expect((await send(twice).expect(400)).body.details).toHaveProperty('content_base64');
});

test('returns 415 for JSON in other encodings, whose structure can’t be checked', async () => {
  const charset = (name: string) =>
    app.employee.put(photo()).set('Content-Type', `application/json; charset=${name}`).send('{}');
  for (const name of ['utf-16', 'utf-7', '"utf-16le"']) {
    expect((await charset(name).expect(415)).body.error).toBe('unsupported_media_type');
  }
  await charset('"UTF-8"').expect(400);
});

test('rejects authorization server forms with more than 100 fields as a whole', async () => {
  const form = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=1`).join('&');
  const errorFor = async (type: string, body: string) => {
    const response = await fetch(`${app.base_url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    return ((await response.json()) as { error_description?: string }).error_description;
  };
  const limitMessage = expect.stringContaining('at most 100 fields');
  expect(await errorFor('application/x-www-form-urlencoded', form(100))).not.toEqual(limitMessage);
  expect(await errorFor('application/x-www-form-urlencoded', form(101))).toEqual(limitMessage);
  expect(await errorFor('application/json', `{${members(101)}}`)).toEqual(limitMessage);
  expect(await errorFor('application/json', JSON.stringify({ a: Array(101).fill('1') }))).toEqual(limitMessage);
});
