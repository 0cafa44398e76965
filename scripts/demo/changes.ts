/** Chapter: updates without lost changes, idempotent retries, history, deletion, and restoration. */
import { expect, type Step, type Trip } from './story.ts';

export const changes: Step[] = [
  {
    title: 'She changes someone, and a second writer with an old ETag gets a 412',
    async run(trip) {
      const { path, as } = aboutTheSecond(trip);
      const { headers } = await trip.request('GET', path, { ...as, status: 200 });
      const match = { 'If-Match': headers.get('etag')! };
      const body = { location: 'Porto', phone: '+351 21 555 01 99' };
      const changed = await trip.request('PATCH', path, { ...as, body, headers: match, status: 200 });
      trip.print(`  location ${changed.body.location}, phone ${changed.body.phone}`);
      const late = await trip.request('PATCH', path, {
        ...as,
        body: { location: 'Faro' },
        headers: match,
        status: 412,
      });
      trip.print(`  ${late.body.error}: ${late.body.message}`);
      const now = await trip.request('GET', path, { ...as, status: 200 });
      expect('the location', now.body.location, 'Porto');
    },
  },
  {
    title: 'A request that is sent twice under one Idempotency-Key is carried out once',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const headers = { 'Idempotency-Key': `demo-${trip.run_id}` };
      const email = `twice+${trip.run_id}@verdelog.example`;
      const { manager_id: managerId } = trip.created[0]!;
      const body = { name: 'Only Once', email, position: 'Picker', department: 'Warehouse', manager_id: managerId };
      const first = await trip.request('POST', '/v1/collaborators', { ...as, body, headers, status: 201 });
      const second = await trip.request('POST', '/v1/collaborators', { ...as, body, headers, status: 201 });
      expect('the second response', second.body, first.body);
      expect('Idempotency-Replayed', second.headers.get('idempotency-replayed'), 'true');
      trip.print(`  both responses name ${first.body.id}; the second says Idempotency-Replayed: true`);
      trip.created.push(first.body);
    },
  },
  {
    title: 'She reads everyone with a cursor, sorted by name',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
        const path = `/v1/collaborators?search=${trip.run_id}&sort=name&limit=3${next}`;
        const { body } = await trip.request('GET', path, { ...as, status: 200 });
        names.push(...body.data.map(({ name }: { name: string }) => name));
        cursor = body.pagination.nextCursor;
      }
      expect('the order', names, names.toSorted());
      trip.print(`  ${names.join(', ')}`);
    },
  },
  {
    title: 'She deletes one, and takes it back; the history tells all of it',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const path = `/v1/collaborators/${trip.created.at(-1)!.id}`;
      await trip.request('DELETE', path, { ...as, status: 200 });
      await trip.request('GET', path, { ...as, status: 404 });
      await trip.request('POST', `${path}/restore`, { ...as, status: 200 });
      const { body } = await trip.request('GET', `${path}/history`, { ...as, status: 200 });
      const actions = body.data.map(({ action }: { action: string }) => action);
      expect('the history, newest first', actions, ['restored', 'deleted', 'created']);
      trip.print(`  history: ${actions.join(', ')}`);
    },
  },
];

function aboutTheSecond({ created, tokens, company_id: companyId }: Trip) {
  return { path: `/v1/collaborators/${created[1]!.id}`, as: { token: tokens.admin, company_id: companyId } };
}
