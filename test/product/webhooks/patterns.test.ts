import { matches, matchesAny, patternsFor } from '../../../src/product/webhooks/subscriptions/event-patterns.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('an event matches its name, its namespace, and the wildcard', () => {
  expect(patternsFor('collaborator.created')).toEqual(['collaborator.created', 'collaborator.*', '*']);
});

const cases: [pattern: string, event: string, matches: boolean][] = [
  ['*', 'collaborator.created', true],
  ['collaborator.*', 'collaborator.created', true],
  ['collaborator.created', 'collaborator.created', true],
  ['collaborator.created', 'collaborator.created_again', false],
  ['collaborator.crea_ed', 'collaborator.created', false],
  ['collaborato_.*', 'collaborator.created', false],
  ['collab.*', 'collaborator.created', false],
  ['document.*', 'collaborator.created', false],
  ['collaborator.status_changed', 'collaborator.status_changed', true],
  ['collaborator.%', 'collaborator.created', false],
];

test.each(cases)('%s matches %s: %s', async (pattern, event, expected) => {
  expect(matches(pattern, event)).toBe(expected);
  expect(await inDatabase(event, [pattern])).toBe(expected);
});

test('one of several patterns suffices, an empty list doesn’t match', async () => {
  expect(await inDatabase('document.deleted', ['import.*', 'document.deleted'])).toBe(true);
  expect(await inDatabase('document.deleted', [])).toBe(false);
});

/** The same match evaluated by Postgres. */
async function inDatabase(event: string, patterns: string[]): Promise<boolean> {
  const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
  const { sql, parameters } = database.db
    .tenant(companyId)
    .selectFrom('events')
    .select(matchesAny('name', patterns).as('found'))
    .compile();
  const values = `(values ('${companyId}'::uuid, '${event}')) as events (company_id, name)`;
  const [row] = await database.query<{ found: boolean }>(sql.replace('from "events"', `from ${values}`), [
    ...parameters,
  ]);
  return row!.found;
}
