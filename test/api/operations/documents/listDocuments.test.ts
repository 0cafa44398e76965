import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addDocument, fetchFile, pdf } from '../../../helpers/resources/documents.ts';

let app: TestApp;
let collaboratorId: string;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let serial = 0;
beforeEach(async () => {
  serial += 1;
  const fields = { name: 'Some Body', email: `s${serial}@example.com`, position: 'x', department: 'y' };
  const person = { ...fields, manager_id: app.manager.collaborator_id };
  collaboratorId = (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
});

const path = (id: string) => `/v1/collaborators/${id}/documents`;

async function page(query: Record<string, string | number> = {}, client: TestClient = app.admin) {
  const { body } = await client.get(path(collaboratorId)).query(query).expect(200);
  return body as {
    data: { id: string; type: string; url: string }[];
    pagination: { hasMore: boolean; nextCursor: string | null; total: number };
  };
}

const add = (type = 'contract') => addDocument(app, collaboratorId, { type });

/** Inserts `count` rows, some with the same timestamp. */
async function fill(count: number, type: string): Promise<void> {
  await app.database.query(
    `insert into documents (company_id, id, collaborator_id, key, name, type, media_type, size, sha256, uploaded_at)
     select $1::uuid, gen_random_uuid(), $2, $1::uuid::text || '/documents/00/' || lpad(to_hex(n), 40, $4), 'a.pdf', $3,
       'application/pdf', 10, '\\x00', '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 ms'
     from generate_series(1, $5) n`,
    [app.company_id, collaboratorId, type, String(serial % 10), count],
  );
}

describe('succeeds', () => {
  test('lists the newest first, each with a link, and the total', async () => {
    const [first, second] = [await add(), await add('payslip')];
    await addDocument(app, app.report.collaborator_id);
    const { data, pagination } = await page();
    expect(data.map(({ id }) => id)).toEqual([second, first]);
    expect(pagination).toEqual({ hasMore: false, nextCursor: null, total: 2 });
    expect(data[0]).toMatchObject({
      collaborator_id: collaboratorId,
      name: 'contract.pdf',
      type: 'payslip',
      size: pdf.length,
    });
    expect((await fetchFile(data[1]!.url)).bytes).toEqual(pdf);
  });

  test('is empty without documents', async () => {
    expect(await page()).toEqual({ data: [], pagination: { hasMore: false, nextCursor: null, total: 0 } });
  });

  test('filters by type', async () => {
    const [first] = [await add(), await add('payslip')];
    const { data, pagination } = await page({ type: 'contract' });
    expect([data.map(({ id }) => id), pagination.total]).toEqual([[first], 1]);
  });

  test('omits deleted documents', async () => {
    const id = await add();
    await app.admin.delete(`${path(collaboratorId)}/${id}`).expect(200);
    expect((await page()).pagination.total).toBe(0);
  });

  test('pages of any size return each document once, with the same total', async () => {
    await fill(17, 'contract');
    const all = (await page({ limit: 100 })).data.map(({ id }) => id);
    for (const limit of [1, 4, 17]) {
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, pagination } = await page(cursor ? { limit, cursor } : { limit });
        walked.push(...data.map(({ id }) => id));
        expect(pagination.total).toBe(all.length);
        cursor = pagination.nextCursor;
      }
      expect(walked).toEqual(all);
    }
  });
});

describe('refuses bad input', () => {
  test.each([
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=101', 'limit', 'out_of_range'],
    ['type=diary', 'type', 'not_in_enum'],
    ['page=2', 'page', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path(collaboratorId)}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });

  test('rejects a cursor of another list, filter, or caller', async () => {
    await add();
    await add();
    const cursor = (await page({ limit: 1 })).pagination.nextCursor!;
    for (const send of [
      app.admin.get(path(app.report.collaborator_id)).query({ cursor }),
      app.admin.get(path(collaboratorId)).query({ cursor, type: 'contract' }),
      app.manager.get(path(collaboratorId)).query({ cursor }),
    ]) {
      expect((await send.expect(400)).body.error).toBe('invalid_cursor');
    }
  });
});

describe('forbidden by role', () => {
  test('managers neither see nor count documents with hidden fields, or about health, identity, or tax', async () => {
    const documentIds = [await add('policy'), await add('certificate')];
    for (const type of ['medical', 'identification', 'tax', 'payslip', 'contract']) await add(type);
    const { data, pagination } = await page({}, app.manager);
    expect(data.map(({ id }) => id)).toEqual(documentIds.reverse());
    expect(pagination).toEqual({ hasMore: false, nextCursor: null, total: 2 });
    expect((await page({ limit: 2 }, app.manager)).pagination.hasMore).toBe(false);
    expect(await page({ type: 'medical' }, app.manager)).toEqual({
      data: [],
      pagination: { hasMore: false, nextCursor: null, total: 0 },
    });
    expect((await page()).pagination.total).toBe(7);
  });

  test('an indirect manager has access, a former manager none', async () => {
    await add('policy');
    await app.admin.put(`/v1/collaborators/${collaboratorId}`, { manager_id: app.report.collaborator_id }).expect(200);
    expect((await page({}, app.manager)).pagination.total).toBe(1);
    await app.admin.put(`/v1/collaborators/${collaboratorId}`, { manager_id: null }).expect(200);
    await app.manager.get(path(collaboratorId)).expect(404);
  });

  test('everyone sees all of their own documents', async () => {
    for (const client of [app.manager, app.employee]) {
      await addDocument(app, client.collaborator_id, { type: 'tax' });
      const { body } = await client.get(path(client.collaborator_id)).expect(200);
      expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['tax']);
    }
    await app.employee.get(path(app.report.collaborator_id)).expect(404);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.get(path(collaboratorId)).expect(404);
  });
});
