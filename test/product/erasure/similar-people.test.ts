/** Erasing a person keeps what is about people with a similar name or address. */
import { sql } from 'kysely';
import { createStorage } from '../../../src/platform/files/context.ts';
import { eraseCollaborator } from '../../../src/product/erasure/erase-person.ts';
import { addressMatcher, mentionsAddress } from '../../../src/product/erasure/mentions.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/v1/collaborators';

async function erase(id: string): Promise<void> {
  const { config, database } = app;
  const context = { db: database.db, storage: createStorage(config), encryption_keys: config.encryption_keys };
  await eraseCollaborator(
    { ...context, dry_run: false, companyFiles: false },
    { id: app.company_id, name: 'Verde' },
    id,
  );
}

test('keeps events, stored responses, directory attributes, and saved views of others', async () => {
  const directory = await addDirectory(app, { on_local_change: 'allow' });
  const [short, long, other] = ['ana@verde.example', 'mariana@verde.example', 'ana@verde.example.org'];
  const add = async (name: string, email: string) => {
    const person = { name, email, position: 'Driver', department: 'Fleet' };
    const { body } = await app.admin.post(path, person).set('Idempotency-Key', email).expect(201);
    const sent = { userName: email, displayName: name, emails: [{ value: email, type: 'work' }] };
    await directory.post('/Users', sent).expect(201);
    return body.id as string;
  };
  const id = await add('Ana', short!);
  const similar = [await add('Mariana Lima', long!), await add('Ana Lima', other!)];
  const views = [
    { name: 'Ana', filters: {} },
    { name: 'Mine', filters: { search: 'ana' } },
    { name: 'Managers', filters: { role: 'manager' } },
    { name: 'Erased accounts', filters: {} },
  ];
  for (const view of views) await app.admin.post('/v1/saved-views', view).expect(201);
  const traces = async () => {
    const count = async (text: string, values: unknown[]) => (await app.database.query(text, values)).length;
    return Promise.all(
      [id, ...similar].map(async (each, at) => [
        await count(`select 1 from events where payload::jsonb ->> 'id' = $1`, [each]),
        await count('select 1 from directory_people where attributes::text like $1', [
          `%"${[short, long, other][at]}"%`,
        ]),
      ]),
    );
  };
  const before = await traces();
  expect(before.flat().every((count) => count > 0)).toBe(true);

  await erase(id);
  await erase(id); // which can be repeated
  expect(await traces()).toEqual([[0, 0], ...before.slice(1)]);
  const { body: remaining } = await app.admin.get('/v1/saved-views').expect(200);
  expect(remaining.data.map(({ name }: { name: string }) => name)).toEqual(['Erased accounts', 'Managers']);
  const repeated = { name: 'Mariana Lima', email: long, position: 'Driver', department: 'Fleet' };
  const { headers } = await app.admin.post(path, repeated).set('Idempotency-Key', long!).expect(201);
  expect(headers['idempotency-replayed']).toBe('true');
});

describe('finds an address', () => {
  const address = 'ana.o+x@verde.example';
  test.each([
    [address, true],
    [`Ask ANA.O+X@Verde.Example.`, true],
    [`<${address}>`, true],
    [JSON.stringify(`First\n${address}\t\u0001${address}`), true],
    [JSON.stringify(`First\n${address}`), true],
    [JSON.stringify(`\u0001${address}`), true],
    [`?to%3D${address}&x`, true],
    [`mailto:${address}?x`, true],
    [`mari${address}`, false],
    [`mari.${address}`, false],
    [`é${address}`, false],
    [`${address}.org`, false],
    [`${address}-group.org`, false],
    ['anaXo+x@verde.example', false],
    ['anaXo+x@verdeXexample', false],
  ])('in %s: %s', async (text, expected) => {
    expect(addressMatcher([address])(text)).toBe(expected);
    const { rows } = await sql<{ found: boolean }>`
      select ${mentionsAddress(sql`${text}::text`, ['someone@else.example', address])} as found`.execute(
      app.database.db.global,
    );
    expect(rows[0]!.found).toBe(expected);
  });
});
