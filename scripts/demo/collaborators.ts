/** Chapter: add people, list them, and read one. */

import type { components } from '../../generated/api.ts';
import { accounts } from '../run/demo/demo-company.ts';
import people from './collaborators.json' with { type: 'json' };
import { expect, type Step } from './story.ts';

type Headcount = components['schemas']['Headcount'];

export const collaborators: Step[] = [
  {
    title: `She adds ${people.length} people to the team of the manager`,
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const path = `/v1/collaborators?search=${encodeURIComponent(accounts.manager)}`;
      const found = await trip.request('GET', path, { ...as, status: 200 });
      expect('the number of managers found', found.body.data.length, 1);
      const [manager] = found.body.data;
      for (const person of people) {
        const email = person.email.replace('@', `+${trip.run_id}@`);
        const body = { ...person, email, manager_id: manager.id };
        const response = await trip.request('POST', '/v1/collaborators', { ...as, body, status: 201 });
        const { id, status, role, ...fields } = response.body;
        expect('the new status', { status, role }, { status: 'pending', role: 'employee' });
        for (const [name, value] of Object.entries(body)) expect(name, fields[name], value);
        expect('Location', response.headers.get('location'), `${trip.base_url}/v1/collaborators/${id}`);
        trip.created.push(response.body);
        trip.print(`  ${fields.name}, ${fields.position}: ${status}, reports to ${manager.name}, id ${id}`);
      }
    },
  },
  {
    title: 'She lists them, a page at a time',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const listed: unknown[] = [];
      for (let page = 1, more = true; more; page++) {
        const path = `/v1/collaborators?search=${trip.run_id}&per_page=2&page=${page}`;
        const { body } = await trip.request('GET', path, { ...as, status: 200 });
        listed.push(...body.data);
        more = body.meta.has_next;
        const { total, total_pages: totalPages } = body.meta;
        const names = body.data.map(({ name }: { name: string }) => name).join(', ');
        trip.print(`  page ${page} of ${totalPages}, ${total} in all: ${names}`);
      }
      expect('what was listed', listed, trip.created);
    },
  },
  {
    title: 'She reads each of them',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      for (const person of trip.created) {
        const { body, headers } = await trip.request('GET', `/v1/collaborators/${person.id}`, { ...as, status: 200 });
        expect(`${person.name} as read`, body, person);
        trip.print(
          `  ${body.name} <${body.email}>, salary ${body.salary}, hired ${body.hire_date}, ETag ${headers.get('etag')}`,
        );
      }
    },
  },
  {
    title: 'She sees how many people the company has, by month and by department',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const { body } = await trip.request('GET', '/v1/headcount', { ...as, status: 200 });
      const { headcount, months, departments, other_departments: others } = body as Headcount;
      expect('the number of months', months.length, 12);
      expect('the headcount of the current month', months.at(-1)!.headcount, headcount);
      const sum = departments.reduce((total, each) => total + each.headcount, others);
      expect('the headcount of all departments', sum, headcount);
      trip.print(`  ${departments.map((each) => `${each.department} ${each.headcount}`).join(', ')}`);
      for (const { month, ...figures } of months.slice(-3)) {
        trip.print(`  ${month}: ${figures.headcount} people, ${figures.joiners} joined, ${figures.leavers} left`);
      }
    },
  },
];
