/** Search keys are computed the same way everywhere, so that existing rows stay searchable. */
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import fc from '../../helpers/property.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('a text’s keys are its pieces of three and five characters with the company', async () => {
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

test('the keys of any part of a line are among those of the text, for multiline texts too', async () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((value) => value.replaceAll('\0', 'x'));
  const parts = fc.record({
    lines: fc.tuple(word, word, word),
    line: fc.nat(2),
    from: fc.nat(11),
    length: fc.integer({ min: 1, max: 12 }),
  });
  const sampled = fc.sample(parts, 300).map(({ lines, line, from, length }) => {
    const whole = [...lines[line]!];
    const term = whole.slice(from % whole.length, (from % whole.length) + length).join('');
    return { text: lines.join('\n'), term };
  });
  sampled.push(
    { text: 'ana silva\nana@verdelog.example\ndriver', term: 'silva\nana@' },
    { text: 'abc\nde', term: '\n' },
  );
  const [row] = await database.query<{ missed: number; total: number }>(
    `select count(*)::int as total, count(*) filter (
       where not search_keys(company_id, text) @> search_term_keys(company_id, term) or search_term_keys(company_id, term) = '{}'
     )::int as missed
     from unnest($1::text[], $2::text[]) as sampled (text, term), gen_random_uuid() as company_id`,
    [sampled.map(({ text }) => text), sampled.map(({ term }) => term)],
  );
  expect(row).toEqual({ total: sampled.length, missed: 0 });
});

test('no piece spans two lines', async () => {
  const [row] = await database.query<{ apart: number; whole: number }>(
    `select cardinality(search_pieces(company_id, 'abcdefghij', 3)) as whole,
       cardinality(search_pieces(company_id, 'abcde' || chr(10) || 'fghij', 3)) as apart
     from gen_random_uuid() as company_id`,
  );
  expect(row).toEqual({ whole: 8, apart: 6 });
});
