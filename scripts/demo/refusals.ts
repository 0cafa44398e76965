/** Chapter: rejected requests and their errors. */
import { signInAs } from './signing-in.ts';
import { expect, type Step, type Trip } from './story.ts';

export const refusals: Step[] = [
  {
    title: 'A body with mistakes is refused, with all of them at once',
    async run(trip) {
      const body = { name: 'X', email: 'not-an-address', department: 'Finance', nickname: 'Xis' };
      await refusedFields(trip, body, {
        name: ['too_short'],
        email: ['invalid_format'],
        position: ['required'],
        nickname: ['field_not_allowed'],
      });
    },
  },
  {
    title: 'An address that is in use is refused, whatever its upper and lower case',
    async run(trip) {
      const { name, email } = trip.created[0]!;
      const body = { name, email: email.toUpperCase(), position: 'Driver', department: 'Field Operations' };
      await refusedFields(trip, body, { email: ['taken'] });
    },
  },
  {
    title: 'A manager sees the team, and may not add to it',
    async run(trip) {
      await signInAs(trip, 'manager');
      const as = { token: trip.tokens.manager, company_id: trip.company_id };
      const path = `/v1/collaborators?search=${trip.run_id}`;
      const { body } = await trip.request('GET', path, { ...as, status: 200 });
      expect('how many the manager sees', body.meta.total, trip.created.length);
      expect('what the manager does not see', body.data[0].restricted_fields, ['salary', 'custom_fields.bank_account']);
      trip.print(
        `  the ${body.meta.total} new ones are there; hidden from a manager: ${body.data[0].restricted_fields.join(', ')}`,
      );
      await refusedRole(trip, trip.tokens.manager);
    },
  },
  {
    title: 'An employee sees no one else',
    async run(trip) {
      const { scope = '' } = await signInAs(trip, 'employee');
      const as = { token: trip.tokens.employee, company_id: trip.company_id };
      const { body } = await trip.request('GET', '/v1/collaborators', { ...as, status: 200 });
      expect('how many an employee sees', body.meta.total, 1);
      trip.print(`  only ${body.data[0].name}`);
      const hidden = await trip.request('GET', `/v1/collaborators/${trip.created[0]!.id}`, { ...as, status: 404 });
      trip.print(`  ${hidden.body.error}: ${hidden.body.message}`);
      expect('the scope that allows adding people', scope.split(' ').includes('collaborators:write'), true);
      await refusedRole(trip, trip.tokens.employee); // despite the scope: the role matters as well
    },
  },
  {
    title: 'Without a token nothing is returned',
    async run(trip) {
      const { company_id: companyId } = trip;
      const { body } = await trip.request('GET', '/v1/collaborators', { company_id: companyId, status: 401 });
      expect('the code', body.error, 'unauthorized');
      trip.print(`  ${body.error}: ${body.message}`);
    },
  },
];

async function refusedFields(trip: Trip, body: unknown, expected: Record<string, string[]>): Promise<void> {
  const as = { token: trip.tokens.admin, company_id: trip.company_id };
  const response = await trip.request('POST', '/v1/collaborators', { ...as, body, status: 400 });
  const { error, message, details } = response.body as {
    error: string;
    message: string;
    details: Record<string, { code: string; message: string }[]>;
  };
  trip.print(`  ${error}: ${message}`);
  for (const [field, list] of Object.entries(details)) {
    for (const { code, message } of list) trip.print(`    ${field}: ${code}. ${message}`);
  }
  const codes = Object.fromEntries(
    Object.entries(details).map(([field, list]) => [field, list.map(({ code }) => code)]),
  );
  expect('the codes by field', codes, expected);
}

async function refusedRole(trip: Trip, token: string): Promise<void> {
  const body = {
    name: 'Zoe Reis',
    email: `zoe+${trip.run_id}@verdelog.example`,
    position: 'Driver',
    department: 'Fleet',
  };
  const options = { token, company_id: trip.company_id, body, status: 403 };
  const response = await trip.request('POST', '/v1/collaborators', options);
  expect('the code', response.body.error, 'forbidden');
  expect('the role it takes', response.body.details.required_role, 'admin');
  trip.print(`  ${response.body.error}: ${response.body.message} It takes: ${response.body.details.required_role}`);
}
