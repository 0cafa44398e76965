import { randomUUID } from 'node:crypto';
import { recordHistory } from '../../../../src/product/collaborators/write/history.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';
import { addDocument } from '../../../helpers/resources/documents.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** The subject of most tests: a new person whose history has one entry. */
let id: string;
beforeEach(async () => {
  const person = { name: 'Iva Novak', email: `${randomUUID()}@example.com`, position: 'x', department: 'y' };
  id = (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
});

const path = (id: string) => `/v1/collaborators/${id}/history`;

interface Entry {
  id: string;
  action: string;
  description: string;
  timestamp: string;
  actor: { collaborator_id: string; name: string } | null;
  changes: { field: string; from?: unknown; to?: unknown; redacted?: true }[];
}

/** Inserts `count` entries, some with the same timestamp. */
async function fill(collaboratorId: string, count: number): Promise<void> {
  await app.database.query(
    `insert into collaborator_history (company_id, id, collaborator_id, action, description, timestamp)
     select $1, gen_random_uuid(), $2, 'updated', 'Entry ' || n, '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 ms'
     from generate_series(1, $3) n`,
    [app.company_id, collaboratorId, count],
  );
}

async function page(client: TestClient, id: string, query: Record<string, string | number>) {
  const { body } = await client.get(path(id)).query(query).expect(200);
  return body as { data: Entry[]; pagination: { hasMore: boolean; nextCursor: string | null } };
}

async function walk(
  client: TestClient,
  id: string,
  limit: number,
  between: () => unknown = () => {},
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null | undefined; cursor !== null; await between()) {
    const { data, pagination } = await page(client, id, cursor ? { limit, cursor } : { limit });
    expect(pagination.hasMore).toBe(pagination.nextCursor !== null);
    entries.push(...data);
    cursor = pagination.nextCursor;
  }
  return entries;
}

const ids = (entries: { id: string }[]) => entries.map(({ id }) => id);

const before = {
  position: 'Planner',
  salary: 48_000.5,
  emergency_contact: { name: 'Nuno Sousa', phone: '+351 912 345 678', relationship: 'brother' },
};
const after = {
  position: 'Lead Planner',
  salary: 51_234.56,
  emergency_contact: { name: 'Ana Sousa', phone: '+351 913 000 111', relationship: 'sister' },
};

const change = (personId: string, fields: typeof before) =>
  app.admin.put(`/v1/collaborators/${personId}`, fields).expect(200);

const visible = (entry: Entry) =>
  Object.fromEntries(entry.changes.map(({ field, redacted, ...values }) => [field, redacted ? 'redacted' : values]));

describe('succeeds', () => {
  test('lists changes, newest first', async () => {
    await app.admin.post(`/v1/collaborators/${id}/activate`).expect(200);
    await app.admin.post(`/v1/collaborators/${id}/role`, { role: 'manager' }).expect(200);
    const entry = {
      id: expect.any(String),
      timestamp: expect.any(String),
      user_id: app.admin.user_id,
      actor: { collaborator_id: app.admin.collaborator_id, name: 'Mariana Duarte' },
      installation: null,
      directory: null,
    };
    expect(await page(app.admin, id, {})).toEqual({
      data: [
        {
          ...entry,
          action: 'role_changed',
          description: 'Role changed from employee to manager',
          changes: [{ field: 'role', from: 'employee', to: 'manager' }],
        },
        {
          ...entry,
          action: 'status_changed',
          description: 'Status changed from pending to active',
          changes: [{ field: 'status', from: 'pending', to: 'active' }],
        },
        { ...entry, action: 'created', description: 'Collaborator created', changes: [] },
      ],
      pagination: { hasMore: false, nextCursor: null },
    });
  });

  test('names the actor if the reader can see them and they still exist', async () => {
    const { collaborator_id: collaboratorId } = app.report;
    await app.admin.patch(`/v1/collaborators/${collaboratorId}`, { location: 'Campinas' }).expect(200);
    await app.manager.patch(`/v1/collaborators/${collaboratorId}`, { location: 'Santos' }).expect(200);
    await app.report.patch(`/v1/collaborators/${collaboratorId}`, { phone: '+351 912 000 111' }).expect(200);
    const actors = async (reader: TestClient) =>
      (await page(reader, collaboratorId, { limit: 3 })).data.map(({ actor }) => actor?.name ?? null);
    expect(await actors(app.admin)).toEqual(['Clara Sousa', 'Rui Almeida', 'Mariana Duarte']);
    expect(await actors(app.manager)).toEqual(['Clara Sousa', 'Rui Almeida', null]);
    expect(await actors(app.report)).toEqual(['Clara Sousa', null, null]);
    const setDeleted = (deletedAt: Date | null) =>
      app.database.query('update collaborators set deleted_at = $2 where company_id = $3 and id = $1', [
        app.manager.collaborator_id,
        deletedAt,
        app.company_id,
      ]);
    await setDeleted(new Date());
    expect(await actors(app.admin)).toEqual(['Clara Sousa', null, 'Mariana Duarte']);
    await setDeleted(null);
  });

  test('a later change is newer, even in a transaction that began earlier', async () => {
    await app.database.db.tenant(app.company_id).transaction(async (tx) => {
      await app.admin.post(`/v1/collaborators/${id}/activate`).expect(200);
      const entry = { collaborator_id: id, action: 'updated', description: 'Afterwards', user_id: null };
      recordHistory(tx, entry);
    });
    const { data } = await page(app.admin, id, {});
    expect(data.map(({ action }) => action)).toEqual(['updated', 'status_changed', 'created']);
  });

  test('shows salary and contact changes to readers with access, in the format of the API', async () => {
    await change(app.report.collaborator_id, before);
    await change(app.report.collaborator_id, after);
    for (const client of [app.admin, app.report]) {
      const { data } = await page(client, app.report.collaborator_id, { limit: 1 });
      expect(visible(data[0]!)).toEqual({
        position: { from: before.position, to: after.position },
        salary: { from: before.salary, to: after.salary },
        emergency_contact: { from: before.emergency_contact, to: after.emergency_contact },
      });
    }
  });

  test('returns 20 entries by default', async () => {
    await fill(id, 130);
    expect((await page(app.admin, id, {})).data).toHaveLength(20);
    expect((await page(app.admin, id, { limit: 1 })).data).toHaveLength(1);
    expect((await page(app.admin, id, { limit: 100 })).data).toHaveLength(100);
  });

  test('pages of any size return every entry once, newest first', async () => {
    await fill(id, 25);
    const all = (await page(app.admin, id, { limit: 100 })).data;
    expect(all).toHaveLength(26);
    const moments = all.map(({ timestamp }) => timestamp);
    expect(moments).toEqual([...moments].sort().reverse());
    for (const limit of [1, 4, 13, 26]) expect(ids(await walk(app.admin, id, limit))).toEqual(ids(all));
  });

  test('pages skip and repeat nothing while entries are added', async () => {
    await fill(id, 12);
    const there = (await page(app.admin, id, { limit: 100 })).data;
    let sms = false;
    const walked = await walk(app.admin, id, 3, async () => {
      sms = !sms;
      await app.admin.put(`/v1/collaborators/${id}/notifications`, { channels: { sms } }).expect(200);
    });
    expect(ids(walked)).toEqual(ids(there));
    expect((await page(app.admin, id, { limit: 100 })).data.length).toBe(there.length + 5);
  });

  test('a cursor works for another reader of the same history', async () => {
    const id = app.report.collaborator_id;
    await fill(id, 3);
    const { pagination } = await page(app.admin, id, { limit: 2 });
    const rest = { cursor: pagination.nextCursor!, limit: 100 };
    expect(ids((await page(app.report, id, rest)).data)).toEqual(ids((await page(app.manager, id, rest)).data));
  });
});

describe('refuses bad input', () => {
  test.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=101', 'limit', 'out_of_range'],
    ['limit=ten', 'limit', 'invalid_type'],
    ['limit=1.5', 'limit', 'invalid_type'],
    ['cursor=', 'cursor', 'too_short'],
    ['cursor=a%20b', 'cursor', 'invalid_format'],
    ['page=2', 'page', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path(app.report.collaborator_id)}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toContain(code);
  });

  test('rejects a cursor that was altered, forged, or belongs to another history', async () => {
    const { report, employee, outsider } = app;
    await fill(report.collaborator_id, 3);
    await fill(employee.collaborator_id, 3);
    const cursor = (await page(app.admin, report.collaborator_id, { limit: 1 })).pagination.nextCursor!;
    const altered = cursor.slice(0, 40) + (cursor[40] === 'A' ? 'B' : 'A') + cursor.slice(41);
    const refused = async (client: TestClient, id: string, text: string) => {
      const { body } = await client.get(path(id)).query({ cursor: text }).expect(400);
      expect(body).toEqual({ error: 'invalid_cursor', message: expect.any(String) });
    };
    await refused(app.admin, report.collaborator_id, altered);
    await refused(app.admin, report.collaborator_id, `${cursor}~`);
    await refused(app.admin, report.collaborator_id, cursor.slice(0, -1));
    await refused(app.admin, report.collaborator_id, 'garbage');
    await refused(app.admin, report.collaborator_id, Buffer.from('["2026-01-01",1]').toString('base64url'));
    await refused(app.admin, employee.collaborator_id, cursor);
    await refused(outsider, outsider.collaborator_id, cursor);
  });
});

describe('forbidden by role', () => {
  test('managers read their team’s history, employees their own', async () => {
    await app.manager.get(path(app.report.collaborator_id)).expect(200);
    await app.manager.get(path(app.employee.collaborator_id)).expect(404);
    await app.employee.get(path(app.employee.collaborator_id)).expect(200);
    await app.employee.get(path(app.report.collaborator_id)).expect(404);
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:read'] });
    const { body } = await client.get(path(app.report.collaborator_id)).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['history:read'] } });
  });

  test('hides the values of fields that the reader can’t see', async () => {
    const id = app.report.collaborator_id;
    await change(id, before);
    await change(id, after);
    const hidden = async (client: TestClient) => {
      const { data } = await page(client, id, { limit: 1 });
      expect(visible(data[0]!).position).toEqual({ from: before.position, to: after.position });
      return data[0]!.changes.filter(({ redacted }) => redacted);
    };
    const salary = { field: 'salary', redacted: true };
    expect(await hidden(app.manager)).toEqual([salary]);
    expect(await hidden(await app.as('admin', { scopes: ['history:read'] }))).toEqual([salary]);
    expect(await hidden(await app.as('report', { scopes: ['history:read'] }))).toEqual([salary]);
    const { text } = await app.manager.get(path(id)).expect(200);
    expect(maskIds(text)).not.toMatch(/51.?234|48.?000/);
  });

  test('hides notification preferences of the team from managers', async () => {
    const id = app.report.collaborator_id;
    await app.report.put(`/v1/collaborators/${id}/notifications`, { locale: 'de' }).expect(200);
    const newest = async (client: TestClient) => (await page(client, id, { limit: 1 })).data[0]!.changes;
    const field = 'notifications.locale';
    expect(await newest(app.manager)).toEqual([{ field, redacted: true }]);
    expect(await newest(await app.as('report', { scopes: ['history:read'] }))).toEqual([{ field, redacted: true }]);
    expect(await newest(app.report)).toEqual([{ field, from: null, to: 'de' }]);
    expect(await newest(app.admin)).toEqual([{ field, from: null, to: 'de' }]);
  });
});

describe('documents', () => {
  const type = async (type: string) => {
    const documentId = await addDocument(app, app.report.collaborator_id, { type, filename: `${type}.pdf` });
    await app.admin.delete(`/v1/collaborators/${app.report.collaborator_id}/documents/${documentId}`).expect(200);
  };
  const historyFor = async (client: TestClient) =>
    (await page(client, app.report.collaborator_id, { limit: 6 })).data.map(({ action, changes: [change] }) => {
      return [action, ((change?.to ?? change?.from) as { type?: string } | null)?.type ?? change];
    });

  test('managers get no entries of documents they can’t see', async () => {
    await type('policy');
    await type('medical');
    const everything = [
      ['document_deleted', 'medical'],
      ['document_uploaded', 'medical'],
      ['document_deleted', 'policy'],
      ['document_uploaded', 'policy'],
    ];
    expect((await historyFor(app.admin)).slice(0, 4)).toEqual(everything);
    expect((await historyFor(app.report)).slice(0, 4)).toEqual(everything);
    expect((await historyFor(app.manager)).slice(0, 2)).toEqual(everything.slice(2));
    const text = JSON.stringify(await page(app.manager, app.report.collaborator_id, { limit: 100 }));
    expect(text).not.toContain('medical');
  });

  test('hides document names from a token without access to documents', async () => {
    await type('policy');
    const reader = await app.as('admin', { scopes: ['history:read'] });
    expect((await historyFor(reader))[0]).toEqual(['document_deleted', { field: 'documents', redacted: true }]);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.get(path(app.report.collaborator_id)).expect(404);
  });
});
