/** Requests must be UTF-8. Anything else is rejected, and never stored with replacement characters. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { pdf } from '../../helpers/resources/documents.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const people = '/v1/collaborators';
const json = 'application/json';

/** @param body one byte per character */
async function send(method: string, path: string, type: string, body: string, more: Record<string, string> = {}) {
  const { token, company_id: companyId } = app.admin;
  const headers = { Authorization: `Bearer ${token}`, 'X-Company-Id': companyId, 'Content-Type': type, ...more };
  const response = await fetch(`${app.base_url}${path}`, { method, headers, body: Buffer.from(body, 'latin1') });
  return {
    status: response.status,
    body: (await response.json()) as { error: string; message: string; details?: object },
  };
}

const traces = () =>
  app.database.query(`select (select count(*) from collaborators) as people, (select count(*) from documents) as documents,
    (select count(*) from imports) as imports, (select count(*) from events) as events`);

const person = (name: string, email = 'bytes@encoding.example') =>
  `{"name":"${name}","email":"${email}","position":"P","department":"D"}`;

/** Latin-1, a truncated sequence, an overlong slash, a three-byte surrogate, and a code point beyond Unicode. */
const broken = ['\xe9', '\xc3', '\xe2\x82', '\xc0\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xff'];
const [latin1] = broken as [string];

describe('JSON', () => {
  test('with broken UTF-8 returns 400 malformed_json', async () => {
    const before = await traces();
    const id = app.employee.collaborator_id;
    const bytes = latin1;
    for (const [method, path, body] of [
      ...broken.map((each) => ['POST', people, person(`Jos${each} L`)] as const),
      ['PATCH', `${people}/${id}`, `{"phone":"${bytes}"}`],
      ['PUT', `${people}/${id}`, `{"phone":"${bytes}"}`],
      ['POST', `${people}/bulk`, `{"mode":"create","items":[${person(`Jos${bytes} L`)}]}`],
      ['POST', '/v1/webhooks', `{"url":"https://a.example","events":["*"],"description":"${bytes}"}`],
      ['PUT', '/v1/company', `{"name":"${bytes}"}`],
      ['PUT', '/v1/company', `{"${bytes}":1}`],
      ['POST', `${people}/import`, `{"filename":"${bytes}.csv","content_base64":"YQ=="}`],
    ] as const) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : json;
      const response = await send(method, path, type, body);
      expect([path, response.status, response.body.error]).toEqual([path, 400, 'malformed_json']);
      expect(response.body.message).toBe('The request body is not valid UTF-8.');
    }
    expect(await traces()).toEqual(before);
  });

  test.each(['\\ud83d', '\\uDE00', '\\ud83dx', '\\ude00\\ud83d', '\\uD83D\\u0041'])(
    'with %s returns 400 malformed_json',
    async (half) => {
      const before = await traces();
      for (const body of [person(half), `{"${half}":1}`, `[["${half}"]]`]) {
        const response = await send('POST', people, json, body);
        expect([body, response.status, response.body.error]).toEqual([body, 400, 'malformed_json']);
      }
      expect(await traces()).toEqual(before);
    },
  );

  test('keeps surrogate pairs, an escaped backslash before u, and a sent replacement character', async () => {
    for (const [at, [sent, name]] of [
      ['Ana \\ud83d\\ude00', 'Ana 😀'],
      ['Ana \\\\ud83d', 'Ana \\ud83d'],
      ['Ana \xef\xbf\xbd', 'Ana \ufffd'],
    ].entries()) {
      const { status, body } = await send('POST', people, json, person(sent!, `whole${at}@encoding.example`));
      expect([status, body]).toEqual([201, expect.objectContaining({ name })]);
    }
  });
});

describe('forms', () => {
  const boundary = 'x-boundary';
  const type = `multipart/form-data; boundary=${boundary}`;
  const parts = (...formParts: [string, string][]) =>
    `${formParts.map(([head, content]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`;
  const file = pdf.toString('latin1');
  const documents = () => `${people}/${app.employee.collaborator_id}/documents`;

  test('with broken UTF-8 in a text, part name, or file name return 400', async () => {
    const before = await traces();
    const filePart = ['name="file"; filename="a.pdf"', file] as [string, string];
    const bytes = latin1;
    for (const [field, ...formParts] of [
      ...broken.map((each) => ['description', filePart, ['name="type"', 'other'], ['name="description"', `a${each}`]]),
      ['type', filePart, ['name="type"', bytes]],
      ['file', [`name="file"; filename="a${bytes}.pdf"`, file], ['name="type"', 'other']],
      [expect.stringContaining('\ufffd'), filePart, ['name="type"', 'other'], [`name="${bytes}"`, 'x']],
    ] as [string, ...[string, string][]][]) {
      const { status, body } = await send('POST', documents(), type, parts(...formParts));
      expect([status, body.error, Object.keys(body.details!)]).toEqual([400, 'validation_error', [field]]);
    }
    const extended = parts(['name="file"; filename*=UTF-8\'\'a%FF.pdf', file], ['name="type"', 'other']);
    expect((await send('POST', documents(), type, extended)).body.details).toHaveProperty('file');
    const sheet = 'name,email,position,department\nAna,a@b.example,P,D\n';
    const named = await send('POST', `${people}/import`, type, parts([`name="file"; filename="${bytes}.csv"`, sheet]));
    expect([named.status, named.body.details]).toEqual([
      400,
      { file: [{ code: 'invalid_format', message: 'The name of the file is not valid UTF-8.' }] },
    ]);
    const mapped = parts(['name="file"; filename="a.csv"', sheet], ['name="mapping"', `{"a${bytes}":"name"}`]);
    expect((await send('POST', `${people}/import`, type, mapped)).body.details).toHaveProperty('mapping');
    expect(await traces()).toEqual(before);
  });

  test('in UTF-8 are stored unchanged', async () => {
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    const formParts = parts(
      [`name="file"; filename="${utf8('João 😀.pdf')}"`, file],
      ['name="type"', 'other'],
      ['name="description"', utf8('Olá')],
    );
    expect(await send('POST', documents(), type, formParts)).toMatchObject({
      status: 201,
      body: { name: 'João 😀.pdf', description: 'Olá' },
    });
  });
});

describe('queries', () => {
  test('that aren’t UTF-8 return 400 invalid_parameter', async () => {
    const refused = ['%FF', '%E0%A4%A', 'Jos%E9', '%ED%A0%80', '%C0%AF', '%c3', '%F0%9F%98'];
    const names = ['department', 'email', 'cursor', 'unknown', 'manager_id'];
    for (const [name, bytes] of [
      ...refused.map((each) => ['search', each] as const),
      ...names.map((each) => [each, '%FF'] as const),
    ]) {
      const { body } = await app.admin.get(`${people}?${name}=a${bytes}`).expect(400);
      expect([name, bytes, body.error]).toEqual([name, bytes, 'invalid_parameter']);
    }
    await app.admin.get(`${people}?%FF=1`).expect(400);
    for (const path of ['/v1/webhooks', `/v1/field-values/department`]) {
      expect((await app.admin.get(`${path}?limit=1&x=%FF`).expect(400)).body.error).toBe('invalid_parameter');
    }
    expect((await app.admin.get(`${people}/%FF`).expect(404)).body.error).toBe('not_found');
  });

  test.each(['100%', '%', '%zz', '%u00e9', 'a%2', 'Jo%C3%A3o', 'Jo+%F0%9F%98%80'])(
    'with %s are accepted',
    async (text) => {
      await app.admin.get(`${people}?search=${text}`).expect(200);
    },
  );
});

describe('pages and tokens', () => {
  const form = 'application/x-www-form-urlencoded';

  test.each(['a=%FF', 'grant_type=%E9&a=1', 'a=\xe9', '%FF=1'])('rejects the form %j', async (body) => {
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      expect(await send('POST', path, form, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    const page = await fetch(`${app.base_url}/oauth/forgot`, {
      method: 'POST',
      headers: { 'Content-Type': form },
      body: Buffer.from(body, 'latin1'),
    });
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('<html')]);
  });

  test.each(['{"grant_type":"\xe9"}', '{"grant_type":"\\ud83d"}'])('rejects the JSON %j', async (body) => {
    expect(await send('POST', '/oauth/token', json, body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test('rejects a query that isn’t UTF-8 instead of continuing with another state', async () => {
    const query = 'response_type=code&client_id=command-line&state=%FF&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb';
    const response = await fetch(`${app.base_url}/oauth/authorize?${query}`, { redirect: 'manual' });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'invalid_parameter']);
  });
});

describe('headers', () => {
  test('with non-ASCII bytes or control characters are recorded as sent or replaced', async () => {
    const agent = 'probe/\xe9\x9b31m';
    const response = await send('PUT', '/v1/company', json, '{"locale":"pt-BR"}', {
      'User-Agent': agent,
      'X-Request-Id': 'a\x9bb',
    });
    expect(response.status).toBe(200);
    const { body } = await app.admin.get('/v1/audit?limit=5').expect(200);
    const entry = body.data.find(({ user_agent: userAgent }: { user_agent: string | null }) =>
      userAgent?.startsWith('probe/'),
    );
    expect(entry.user_agent).toBe('probe/é31m');
    expect(entry.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });
});
