/** Read, modify, write: every caller who may PUT can send what GET returned. */
import { randomUUID } from 'node:crypto';
import { contract } from '../../src/contract/contract.ts';
import { oneLine, refusedCharacter } from '../../src/contract/texts/one-line.ts';
import { createFileLinks } from '../../src/platform/files/links.ts';
import { type Identity, type TestApp, type TestClient, testApp } from '../helpers/app.ts';
import fc from '../helpers/property.ts';
import { addApp } from '../helpers/resources/apps.ts';
import { picture } from '../helpers/resources/documents.ts';
import { addWebhook } from '../helpers/resources/webhooks.ts';

let app: TestApp;
let readers: Record<string, TestClient>;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  readers = {
    'an admin who may not see salaries': await app.as('admin', {
      scopes: ['collaborators:read', 'collaborators:write'],
    }),
    'an admin who may see salaries and not write them': await app.as('admin', {
      scopes: ['collaborators:read', 'collaborators:write', 'salary:read'],
    }),
  };
});
afterAll(() => app.close());

const people = '/v1/collaborators';

/** Counts of everything that records a change. Audit log entries are per request, so not included. */
async function traces(): Promise<unknown[]> {
  return app.database.query(
    `select (select count(*) from events) as events, (select count(*) from collaborator_history) as history,
       (select json_agg(c order by id) from collaborators c) as people, (select json_agg(w order by id) from webhooks w) as webhooks,
       (select json_agg(c order by id) from companies c) as companies, (select json_agg(a order by id) from oauth_clients a) as apps,
       (select json_agg(n order by collaborator_id) from notification_preferences n) as preferences`,
  );
}

async function putBack(client: TestClient, address: string): Promise<void> {
  const { body, headers } = await client.get(address).expect(200);
  const before = await traces();
  const response = await client.put(address, body);
  expect([response.status, response.body.details]).toEqual([200, undefined]);
  expect(response.body).toEqual(body);
  expect(response.headers.etag).toBe(headers.etag);
  expect(await traces()).toEqual(before);
}

const line = fc
  .string({ minLength: 2, maxLength: 40, unit: 'grapheme' })
  .filter((text) => !refusedCharacter(oneLine(text)));
const text = fc.option(line);
const person = fc.record({
  name: line.filter((name) => oneLine(name).length > 1),
  phone: text,
  work_schedule: text,
  location: text,
  hire_date: fc.constantFrom(null, '2026-02-28', '0099-12-31'),
  salary: fc.option(fc.integer({ min: 0, max: 99_999_999_999_999 }).map((cents) => cents / 100)),
  emergency_contact: fc.option(fc.record({ name: text, phone: text, relationship: text })),
});

let isOn = false;
const otherThanBefore = () => {
  isOn = !isOn;
  return isOn;
};

/** A record for each path that supports PUT, and the callers who can reach it. */
const samples: Record<string, (fields: object) => Promise<[address: string, callers: Identity[]]>> = {
  '/v1/collaborators/{id}': async (fields) => {
    const serial = randomUUID();
    const base = { email: `${serial}@example.com`, position: 'Clerk', department: 'Office' };
    const managerId = app.manager.collaborator_id;
    const { body } = await app.admin.post(people, { ...base, manager_id: managerId, ...fields }).expect(201);
    return [`${people}/${body.id}`, ['admin', 'manager']];
  },
  '/v1/collaborators/{id}/notifications': async () => {
    const address = `${people}/${app.employee.collaborator_id}/notifications`;
    await app.admin.put(address, { events: { 'collaborator.updated': otherThanBefore() } }).expect(200);
    return [address, ['admin', 'employee']];
  },
  '/v1/company': async () => {
    await app.admin.put('/v1/company', { policy: { step_up: otherThanBefore() } }).expect(200);
    return ['/v1/company', ['admin']];
  },
  '/v1/apps/{id}': async () => [`/v1/apps/${await addApp(app, { scopes: ['profile'] })}`, ['admin']],
  '/v1/webhooks/{id}': async () => {
    const id = await addWebhook(app, { events: ['import.*'], headers: { 'X-Key': 'secret', 'X-Webhook-Event': 'x' } });
    return [`/v1/webhooks/${id}`, ['admin']];
  },
};

test('every record that can be read and put has a sample here', () => {
  const both = Object.entries(contract.paths).filter(([, item]) => 'get' in item && 'put' in item);
  expect(Object.keys(samples).sort()).toEqual(both.map(([path]) => path).sort());
});

test.each(Object.keys(samples))('%s: putting back what was read changes nothing', async (path) => {
  const plain = (record: object) => JSON.parse(JSON.stringify(record).replaceAll('\\u0000', ''));
  await fc.assert(
    fc.asyncProperty(person, async (fields) => {
      const [address, callers] = await samples[path]!(plain(fields));
      for (const caller of callers) await putBack(app[caller], address);
      await app.database.query('delete from webhooks');
    }),
    { numRuns: path === '/v1/collaborators/{id}' ? 8 : 1 }, // the fields of others are fixed
  );
});

describe('a collaborator', () => {
  const own = (identity: Identity) => `${people}/${app[identity].collaborator_id}`;

  test('can be put back by everyone for themselves', async () => {
    for (const identity of ['admin', 'manager', 'employee', 'report'] as const) {
      await putBack(app[identity], own(identity));
    }
  });

  test('can be put back with hidden and read-only fields', async () => {
    await putBack(app.manager, own('report'));
    for (const reader of Object.values(readers)) await putBack(reader, own('report'));
  });

  test('can be put back in every status', async () => {
    const [address] = await samples['/v1/collaborators/{id}']!({ name: 'Stan Status' });
    await putBack(app.admin, address);
    await app.admin.post(`${address}/activate`).expect(200);
    await putBack(app.admin, address);
    await app.admin.post(`${address}/deactivate`).expect(200);
    await putBack(app.admin, address);
    await putBack(app.manager, address);
  });

  test('can be put back with a photo whose URL may have expired', async () => {
    await app.admin
      .put(`${own('report')}/photo`)
      .attach('file', await picture(), 'me.png')
      .expect(200);
    await putBack(app.manager, own('report'));
    const [row] = await app.database.query<{ avatar_key: string }>(
      'select avatar_key from collaborators where id = $1',
      [app.report.collaborator_id],
    );
    const longAgo = createFileLinks(app.config, app.base_url, () => Date.now() - 1e9);
    const file = { company_id: app.company_id, key: row!.avatar_key, filename: 'photo.webp', media_type: 'image/webp' };
    const avatarUrl = longAgo.link({ ...file, disposition: 'inline', expiresInS: 86_400 });
    await app.admin.put(own('report'), { avatar_url: avatarUrl }).expect(200);
    for (const other of [null, 'https://elsewhere.example/me.png', `${avatarUrl}x`]) {
      const { body } = await app.admin.put(own('report'), { avatar_url: other }).expect(400);
      expect(body.details.avatar_url).toEqual([
        { code: 'field_not_allowed', message: expect.stringContaining('To change it, use setPhoto.') },
      ]);
    }
  });

  test('is changed only where it differs', async () => {
    const { body } = await app.manager.get(own('report')).expect(200);
    const changed = await app.manager.put(own('report'), { ...body, phone: '+351 55' }).expect(200);
    expect(changed.body).toEqual({ ...body, phone: '+351 55', updated_at: changed.body.updated_at });
    const replay = await app.manager.put(own('report'), { ...body, phone: '+351 55' }).expect(200);
    expect(replay.body).toEqual(changed.body);
  });

  test.each([
    ['id', randomUUID()],
    ['role', 'admin'],
    ['role', null],
    ['created_at', '2026-01-01T00:00:00.000Z'],
    ['id', { a: 1 }],
  ])('rejects another value of %s with an accurate message', async (field, value) => {
    for (const method of ['put', 'patch'] as const) {
      const { body } = await app.admin[method](own('report'), { [field]: value }).expect(400);
      const message = expect.stringMatching(/^This field can't be changed here: omit it, or send it unchanged\./);
      expect(body.details).toEqual({ [field]: [{ code: 'field_not_allowed', message }] });
    }
  });

  test('gives managers no permission they don’t have', async () => {
    const { body } = await app.manager.get(own('report')).expect(200);
    for (const field of ['name', 'email', 'hire_date']) {
      const refused = await app.manager.put(own('report'), { ...body, [field]: '2026-01-01' }).expect(403);
      expect(Object.keys(refused.body.details)).toEqual([field]);
    }
  });

  test('doesn’t reveal hidden values by trial', async () => {
    const guesses = [{ salary: 48_000.5 }, { salary: null }, { salary: 1 }];
    const responses = await Promise.all(guesses.map((guess) => app.manager.put(own('report'), guess)));
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(responses[0]!.status).toBe(403);
  });

  test('can be sent again with its Idempotency-Key although the record has changed', async () => {
    const { body } = await app.admin.get(own('report')).expect(200);
    const send = () =>
      app.admin.patch(own('report'), { ...body, location: randomUUID.name }).set('Idempotency-Key', 'put-back');
    const first = await send().expect(200);
    const second = await send().expect(200);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
  });
});

describe('the company', () => {
  test.each(['id', 'created_at'])('rejects another value of %s', async (field) => {
    const { body: company } = await app.admin.get('/v1/company').expect(200);
    await app.admin.put('/v1/company', { [field]: company[field] }).expect(200);
    const other = { id: randomUUID(), created_at: '2026-01-01T00:00:00.000Z' }[field];
    const { body } = await app.admin.put('/v1/company', { [field]: other }).expect(400);
    expect(body.details).toMatchObject({ [field]: [{ code: 'field_not_allowed' }] });
  });
});

describe('in bulk', () => {
  test('items have every field that an update accepts', () => {
    const { BulkItem, CollaboratorUpdate } = contract.components.schemas;
    for (const [name, { maxItems }] of Object.entries(CollaboratorUpdate!.properties!)) {
      expect([name, BulkItem!.properties![name]?.maxItems]).toEqual([name, maxItems]);
      expect(Object.keys(BulkItem!.properties!)).toContain(name);
    }
  });

  const send = async (mode: string, items: object[]) =>
    (await app.admin.post(`${people}/bulk`, { mode, items }).expect(200)).body.results;

  test.each(['update', 'upsert'])('with the mode %s, items of the list change nothing', async (mode) => {
    const { body } = await app.admin.get(`${people}?per_page=50`).expect(200);
    const before = { ...((await traces())[0] as object), events: undefined }; // each bulk request has one
    const results = await send(mode, body.data);
    expect({ ...((await traces())[0] as object), events: undefined }).toEqual(before);
    expect(results.map(({ status, error }: { status: string; error: object }) => [status, error])).toEqual(
      body.data.map(() => ['unchanged', null]),
    );
    const [first] = body.data;
    const [role, created] = await send(mode, [
      { ...first, role: 'employee' === first.role ? 'admin' : 'employee' },
      {},
    ]);
    expect(role.error.details.role).toEqual([
      { code: 'field_not_allowed', message: expect.stringContaining('assignRole') },
    ]);
    expect(created.status).toBe('failed');
  });
});

describe('a subscription', () => {
  test('can be put back after deliveries, and when deactivated', async () => {
    const id = await addWebhook(app, {});
    const { body } = await app.admin.get(`/v1/webhooks/${id}`).expect(200);
    await app.database.query(
      'update webhooks set last_delivery_at = now(), last_status_code = 204, consecutive_failures = 1',
    );
    await app.admin.put(`/v1/webhooks/${id}`, body).expect(200);
    await app.admin.put(`/v1/webhooks/${id}`, { status: 'deactivated' }).expect(200);
    await putBack(app.admin, `/v1/webhooks/${id}`);
    const { body: off } = await app.admin.get(`/v1/webhooks/${id}`).expect(200);
    await app.admin.put(`/v1/webhooks/${id}`, { ...off, status: 'active' }).expect(200);
  });

  test.each([
    ['id', randomUUID()],
    ['created_by', null],
    ['payload_version', '2.0.0'],
  ])('rejects another value of %s', async (field, value) => {
    const { body } = await app.admin.put(`/v1/webhooks/${await addWebhook(app, {})}`, { [field]: value }).expect(400);
    expect(body.details[field]).toMatchObject([{ code: 'field_not_allowed' }]);
    await app.database.query('delete from webhooks');
  });
});
