/** Chapter: people synchronized from another system keep their identity, leave, and return. */
import { expect, type Step, type Trip } from './story.ts';

/** State shared by this chapter's steps. */
const state = { leaverId: '' };

export const sourceSystem: Step[] = [
  {
    title: 'Her HR system sends people by the ids it knows them by',
    async run(trip) {
      const results = await syncPeople(trip, [person(trip, 'mira'), person(trip, 'noah')]);
      expect('what became of them', results.map(outcome), ['created', 'created']);
      state.leaverId = results[1]!.id;
      const repeated = await syncPeople(trip, [person(trip, 'mira'), person(trip, 'noah')]);
      expect('sent again', repeated.map(outcome), ['unchanged', 'unchanged']);
    },
  },
  {
    title: 'One of them has married there: a new name and a new address, and still one person',
    async run(trip) {
      const email = `mira.prado.hr-${trip.run_id}@verdelog.example`;
      const [result] = await syncPeople(trip, [{ ...person(trip, 'mira'), name: 'Mira Prado', email }]);
      expect('what became of her', result!.status, 'updated');
      const path = `/v1/collaborators/${result!.id}`;
      const { body } = await trip.request('GET', path, { ...admin(trip), status: 200 });
      expect(
        'her address, and the id that the system knows',
        [body.email, body.external_id],
        [email, `hr:mira:${trip.run_id}`],
      );
      trip.print(`  ${body.name} <${body.email}>, external id ${body.external_id}, number ${body.employee_number}`);
    },
  },
  {
    title: 'The other one gives notice: a last day, after which he is deactivated by himself',
    async run(trip) {
      const path = `/v1/collaborators/${state.leaverId}`;
      const body = { termination_date: '2099-12-31' };
      const { body: set } = await trip.request('PATCH', path, { ...admin(trip), body, status: 200 });
      trip.print(`  ${set.name}, ${set.status}, last day ${set.termination_date}`);
    },
  },
  {
    title: 'His record is deleted; when he is hired again, the same external id makes a new one',
    async run(trip) {
      const path = `/v1/collaborators/${state.leaverId}`;
      await trip.request('DELETE', path, { ...admin(trip), status: 200 });
      const [result] = await syncPeople(trip, [person(trip, 'noah')]);
      expect('what became of him', result!.status, 'created');
      expect('whether he has another id than before', result!.id !== state.leaverId, true);
      const { body } = await trip.request('POST', `${path}/restore`, { ...admin(trip), status: 409 });
      trip.print(`  rehired as ${result!.id}; the record of before stays as it was: ${body.error}`);
    },
  },
];

interface Result {
  id: string;
  status: string;
}

async function syncPeople(trip: Trip, items: object[]): Promise<Result[]> {
  const body = { mode: 'upsert', match_by: 'external_id', items };
  const response = await trip.request('POST', '/v1/collaborators/bulk', { ...admin(trip), body, status: 200 });
  for (const { id, status } of response.body.results) trip.print(`  ${status} ${id}`);
  return response.body.results;
}

function person({ run_id: runId }: Trip, handle: string) {
  return {
    external_id: `hr:${handle}:${runId}`,
    employee_number: `${handle.toUpperCase()}-${runId}`,
    name: `${handle[0]!.toUpperCase()}${handle.slice(1)} Fonte`,
    email: `${handle}.hr-${runId}@verdelog.example`,
    position: 'Driver',
    department: 'Fleet',
    hire_date: '2026-03-02',
  };
}

function outcome({ status }: Result): string {
  return status;
}

function admin({ tokens, company_id: companyId }: Trip) {
  return { token: tokens.admin, company_id: companyId };
}
