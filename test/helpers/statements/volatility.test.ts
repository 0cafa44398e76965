import { functions as allowed } from '../../../src/platform/tenancy/allowlist.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { functions } from './volatility.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('the volatility of every allowed function matches its least favorable form in Postgres', async () => {
  const rows = await database.query<{ name: string; kind: keyof typeof functions }>(
    `select proname as name,
       case max(case provolatile when 'v' then 3 when 's' then 2 else 1 end)
         when 3 then 'volatile' when 2 then 'stable' else 'immutable' end as kind
     from pg_proc where proname = any($1::text[]) and pronamespace in ('pg_catalog'::regnamespace, 'public'::regnamespace)
     group by proname`,
    [[...allowed]],
  );
  const actual = rows.map(({ name, kind }) => `${name} ${kind}`);
  const listed = Object.entries(functions).flatMap(([kind, names]) => [...names].map((name) => `${name} ${kind}`));
  expect(listed.toSorted()).toEqual(actual.toSorted());
});
