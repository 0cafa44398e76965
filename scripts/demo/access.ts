/** Chapter: permissions change, and access ends, while people are signed in. */
import { expect, type Step, type Trip } from './story.ts';
import { untilTrue } from './until-true.ts';

export const access: Step[] = [
  {
    title: 'The admin makes the new person a manager: the token they have may do more at once',
    async run(trip) {
      const { company_id: companyId, guest } = trip;
      const as = { token: trip.tokens.admin, company_id: companyId };
      const options = { ...as, body: { role: 'manager' }, status: 200 };
      const { body } = await trip.request('POST', `/v1/collaborators/${guest.id}/role`, options);
      expect('the role', body.role, 'manager');
      const elapsedMs = await untilTrue('the role that the token has is manager', async () => {
        const headers = { authorization: `Bearer ${guest.token}`, 'x-company-id': companyId };
        const response = await fetch(`${trip.base_url}/v1/permissions`, { headers });
        return ((await response.json()) as { role: string }).role === 'manager';
      });
      trip.print(`  known to be a manager after ${elapsedMs} ms`);
    },
  },
  {
    title: 'The last admin cannot step down: somebody has to run the company',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const admins = await activeAdmins(trip);
      if (admins.length > 1) return trip.print(`  left out: this company has ${admins.length} admins now`);
      const path = `/v1/collaborators/${admins[0]}/role`;
      const { body } = await trip.request('POST', path, { ...as, body: { role: 'employee' }, status: 409 });
      expect('the code', body.error, 'last_admin');
      trip.print(`  ${body.error}: ${body.message}`);
    },
  },
  {
    title: 'The new person is deactivated: the token they have is refused at once',
    async run(trip) {
      const { company_id: companyId, guest } = trip;
      const as = { token: trip.tokens.admin, company_id: companyId };
      const options = { ...as, body: { reason: 'Left the company' }, status: 200 };
      const { body } = await trip.request('POST', `/v1/collaborators/${guest.id}/deactivate`, options);
      expect('the status', body.status, 'inactive');
      const elapsedMs = await untilTrue('the token is refused', async () => {
        const headers = { authorization: `Bearer ${guest.token}` };
        return (await fetch(`${trip.base_url}/auth/user`, { headers })).status === 401;
      });
      const request = { token: guest.token, company_id: companyId, status: 401 };
      const response = await trip.request('GET', '/v1/collaborators', request);
      trip.print(`  ${response.body.error}: ${response.body.message} Refused after ${elapsedMs} ms.`);
    },
  },
];

/** @returns their ids, from all pages of the list */
async function activeAdmins(trip: Trip): Promise<string[]> {
  const as = { token: trip.tokens.admin, company_id: trip.company_id };
  const admins: string[] = [];
  for (let page = 1, hasMore = true; hasMore; page++) {
    const { body } = await trip.request('GET', `/v1/collaborators?per_page=100&page=${page}`, { ...as, status: 200 });
    for (const { id, role, status } of body.data) if (role === 'admin' && status === 'active') admins.push(id);
    hasMore = body.meta.has_next;
  }
  return admins;
}
