/** Definitions change concurrently with twenty writes of values, which must always match the definitions. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/v1/collaborators';
const options = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ key: `o${at}`, label: { default: `O${at}` }, retired: false }));

test('stays consistent', async () => {
  await defineField(app.admin, { key: 'size', type: 'choice', options: options(1) });
  await defineField(app.admin, { key: 'badge', type: 'text' });
  const people = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const person = { name: 'Ana', email: `a${at}@verde.example`, position: 'Driver', department: 'Fleet' };
      return (await app.admin.post(path, person).expect(201)).body.id as string;
    }),
  );
  const rounds = 8;
  const define = async () => {
    for (let round = 1; round <= rounds; round++) {
      await app.admin.patch(`${fieldsPath}/size`, { options: options(round + 1) });
      await app.admin.patch(`${fieldsPath}/badge`, { unique: round % 2 === 0, archived: round % 3 === 0 });
    }
    await app.admin.patch(`${fieldsPath}/badge`, { archived: false }).expect(200);
  };
  const write = async (id: string, at: number) => {
    for (let round = 0; round < rounds; round++) {
      const values = { size: `o${round}`, badge: `b${(at * 7 + round) % 15}` };
      const { status } = await app.admin.patch(`${path}/${id}`, { custom_fields: values });
      expect([200, 400]).toContain(status);
    }
  };
  await Promise.all([define(), define(), ...people.map(write)]);

  const { body: size } = await app.admin.get(`${fieldsPath}/size`).expect(200);
  const { body: badge } = await app.admin.get(`${fieldsPath}/badge`).expect(200);
  const keys = size.options.map(({ key }: { key: string }) => key);
  const rows = await app.database.query(
    `select id, custom_fields ->> 'size' as size, custom_fields ->> 'badge' as badge
     from collaborators where company_id = $1 and custom_fields is not null`,
    [app.company_id],
  );
  expect(rows).toHaveLength(20);
  expect(rows.filter((row) => row.size).length).toBeGreaterThan(0);
  for (const row of rows) if (row.size) expect(keys).toContain(row.size);
  const stored = await app.database.query('select value_text, collaborator_id from custom_field_values');
  const expected = badge.unique ? rows.filter((row) => row.badge).map((row) => `${row.badge} ${row.id}`) : [];
  expect(stored.map((row) => `${row.value_text} ${row.collaborator_id}`).toSorted()).toEqual(expected.toSorted());
  expect(new Set(stored.map((row) => row.value_text)).size).toBe(stored.length);
});
