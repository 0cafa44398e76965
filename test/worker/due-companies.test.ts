/** Recurring tasks find the companies concerned in one query, and skip the others. */
import { randomUUID } from 'node:crypto';
import { companiesWithTerminations } from '../../src/product/collaborators/due-terminations.ts';
import { companiesWithOverdueInvitations } from '../../src/product/invitations/overdue-invitations.ts';
import { inEachCompany } from '../../src/worker/tasks/each-company.ts';
import { type TestApp, testApp } from '../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function added(terminationDate: string | null): Promise<string> {
  const person = { name: 'Lea Leaver', email: `${randomUUID()}@example.com`, position: 'x', department: 'y' };
  return (await app.admin.post('/v1/collaborators', { ...person, termination_date: terminationDate }).expect(201)).body
    .id;
}

test('employments are due from a week before the last day, in the earliest time zone', async () => {
  await added('2031-06-30');
  await added(null);
  const found = (moment: string) => companiesWithTerminations(app.database, new Date(moment));
  expect(await found('2031-06-22T09:59:00Z')).toEqual([]); // not yet the 23rd in the easternmost time zone
  expect(await found('2031-06-22T10:00:00Z')).toEqual([app.company_id]);
  expect(await found('2031-07-02T00:00:00Z')).toEqual([app.company_id]);
});

test('invitations are due when they expire', async () => {
  const id = await added(null);
  await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
  expect(await companiesWithOverdueInvitations(app.database)).toEqual([]);
  await app.database.query('update invitations set expires_at = now() where collaborator_id = $1', [id]);
  expect(await companiesWithOverdueInvitations(app.database)).toEqual([app.company_id]);
});

test('other companies are skipped', async () => {
  const hadTurn: string[] = [];
  const work = async ({ company_id: companyId }: { company_id: string }) => hadTurn.push(companyId);
  await inEachCompany(app.database.db, work, [app.company_id, randomUUID()]);
  await inEachCompany(app.database.db, work, []);
  expect(hadTurn).toEqual([app.company_id]);
});
