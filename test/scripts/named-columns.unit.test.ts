// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are sources
/** The rule that statements name their columns. */
import { unnamedColumns } from '../../scripts/lint/named-columns/rule.ts';

test.each([
  "tenant.selectFrom('exports').selectAll().execute();",
  "tenant.updateTable('exports').set({ size }).returningAll();",
  "const all = query.selectAll('exports');",
  "client.query('select * from exports');",
  'client.query(`select exports.* from exports where id = $1`);',
  'sql`update exports set size = ${size} returning *`;',
  'sql`select id, exports.* from exports where id = ${id}`;',
  'sql`with known as (select distinct * from exports where key = ${key}) select id from known`;',
  'sql`insert into archive ${sql`select * from exports`}`;',
])('detects %s', (source) => {
  expect(unnamedColumns('seed.ts', source)).toHaveLength(1);
});

test.each([
  "tenant.selectFrom('exports').select(['id', 'size']).execute();",
  'sql`select count(*) from exports`;',
  'sql`select id, count(*) over () as total from exports`;',
  'sql`select price * amount, 2 * sum(size) from exports`;',
  'sql`with read (id, place) as (select * from unnest(${ids}::uuid[]) with ordinality) select id from read`;',
  "const events = ['collaborator.*', '*'];",
  '// select * from a comment\nconst selected = 1;',
  'say`Select one, all of company.* or *.`;',
])('accepts %s', (source) => {
  expect(unnamedColumns('fine.ts', source)).toEqual([]);
});
