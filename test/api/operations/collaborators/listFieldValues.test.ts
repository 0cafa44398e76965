import { type TestApp, testApp } from '../../../helpers/app.ts';

const values = '/v1/field-values';
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  const people = [
    ['a', 'Fleet', 'Driver', 'Lisboa'],
    ['b', 'fleet', 'Driver', 'Lisboa'],
    ['c', 'Fleet', 'driver', 'Évora'],
    ['d', 'Äpfel', 'Buyer', null],
  ];
  for (const [name, department, position, location] of people) {
    const person = { name: `Person ${name}`, email: `${name}@example.com`, position, department, location };
    await app.outsider.post('/v1/collaborators', person).expect(201);
  }
  await app.outsider.patch(`/v1/collaborators/${app.outsider.collaborator_id}`, {
    department: 'Zoo',
    position: 'Boss',
  });
});
afterAll(() => app.close());

describe('succeeds', () => {
  test.each([
    [
      'department',
      [
        ['Äpfel', 1],
        ['Fleet', 2],
        ['fleet', 1],
        ['Zoo', 1],
      ],
    ],
    [
      'position',
      [
        ['Boss', 1],
        ['Buyer', 1],
        ['Driver', 2],
        ['driver', 1],
      ],
    ],
    [
      'location',
      [
        ['Évora', 1],
        ['Lisboa', 2],
      ],
    ],
  ])('lists values of %s as written, with counts, in locale order', async (field, expected) => {
    const { body } = await app.outsider.get(`${values}/${field}`).expect(200);
    expect(body).toEqual({
      data: expected.map(([value, count]) => ({ value, count })),
      pagination: { hasMore: false, nextCursor: null },
    });
  });

  test('pages return each value once while others change', async () => {
    const collected: string[] = [];
    const added: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor && `&cursor=${cursor}`;
      const { body } = await app.outsider.get(`${values}/department?limit=1${next}`).expect(200);
      collected.push(...body.data.map(({ value }: { value: string }) => value));
      expect(body.pagination.hasMore).toBe(body.pagination.nextCursor !== null);
      cursor = body.pagination.nextCursor;
      const person = { name: 'New', email: `new${added.length}@example.com`, position: 'Driver' };
      // Before the next page.
      const sent = { ...person, department: `Aa ${added.length}` };
      added.push((await app.outsider.post('/v1/collaborators', sent).expect(201)).body.id);
    }
    expect(collected).toEqual(['Äpfel', 'Fleet', 'fleet', 'Zoo']);
    expect((await app.outsider.get(`${values}/department`).expect(200)).body.data).toHaveLength(4 + added.length);
    for (const id of added) await app.outsider.delete(`/v1/collaborators/${id}`).expect(200);
  });

  test('doesn’t count deleted people', async () => {
    const person = { name: 'Gone', email: 'gone@example.com', position: 'x', department: 'Gone' };
    const { id } = (await app.outsider.post('/v1/collaborators', person).expect(201)).body;
    await app.outsider.delete(`/v1/collaborators/${id}`).expect(200);
    expect((await app.outsider.get(`${values}/department`)).body.data).toHaveLength(4);
  });
});

describe('refuses bad input', () => {
  test.each(['salary', 'email', 'Department', 'status', 'history'])(
    'returns 404 for the unknown field %s',
    async (field) => {
      const { body } = await app.admin.get(`${values}/${field}`).expect(404);
      expect(body.error).toBe('not_found');
    },
  );

  test.each(['limit=0', 'limit=101', 'page=1'])('rejects %s', async (query) => {
    expect((await app.admin.get(`${values}/department?${query}`).expect(400)).body.error).toBe('invalid_parameter');
  });

  test('a cursor is bound to its field, caller, and company', async () => {
    const { body } = await app.outsider.get(`${values}/department?limit=1`).expect(200);
    const cursor = body.pagination.nextCursor;
    const colleague = { name: 'Office', email: 'office@example.com', position: 'Planner', department: 'Office' };
    const { id } = (await app.admin.post('/v1/collaborators', colleague).expect(201)).body;
    const ofAdmin = (await app.admin.get(`${values}/department?limit=1`).expect(200)).body.pagination.nextCursor;
    await app.admin.get(`${values}/department?cursor=${ofAdmin}`).expect(200);
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    expect((await app.manager.get(`${values}/department?cursor=${ofAdmin}`).expect(400)).body.error).toBe(
      'invalid_cursor',
    );
    for (const [client, field] of [
      [app.outsider, 'position'],
      [app.admin, 'department'],
    ] as const) {
      const refused = await client.get(`${values}/${field}?cursor=${cursor}`).expect(400);
      expect(refused.body.error).toBe('invalid_cursor');
    }
  });
});

test('forbidden by role: counts only people within the caller’s reach', async () => {
  const counted = async (client: typeof app.admin) => {
    const { body } = await client.get(`${values}/department`).expect(200);
    return body.data.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  };
  expect(await counted(app.admin)).toBe(4);
  expect(await counted(app.manager)).toBe(2);
  expect(await counted(app.employee)).toBe(1);
});

test('invisible to another company', async () => {
  const { body } = await app.admin.get(`${values}/department`).expect(200);
  expect(body.data.map(({ value }: { value: string }) => value)).not.toContain('Zoo');
});
