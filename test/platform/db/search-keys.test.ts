/** What people are found by is the same, however it is worked out: rows that were written before stay found. */
import fc from 'fast-check';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('the keys of a text are its pieces of three and of five characters, and the company', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
  const values = ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'zoë 日本 👩‍👩‍👧', ...fc.sample(text, 200)];
  const [row] = await database.query<{ different: number; total: number }>(
    `select count(*)::int as total, count(*) filter (where search_keys(company_id, value) is distinct from
       search_pieces(company_id, value, 3) || search_pieces(company_id, value, 5) || uuid_hash_extended(company_id, 0)
     )::int as different
     from unnest($1::text[]) as value, gen_random_uuid() as company_id`,
    [values],
  );
  expect(row).toEqual({ total: values.length, different: 0 });
});
