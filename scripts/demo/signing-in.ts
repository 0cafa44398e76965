/** Chapter: from a password to a token and its company. */

import { accounts, companyName } from '../run/demo/demo-company.ts';
import { signIn } from '../run/sign-in.ts';
import { expect, type Step, type Trip } from './story.ts';

export const signingIn: Step[] = [
  {
    title: 'An admin signs in through the pages, and allows this demo to act for her',
    async run(trip) {
      const tokens = await signInAs(trip, 'admin');
      expect('the token type', tokens.token_type.toLowerCase(), 'bearer');
      expect('a refresh token', typeof tokens.refresh_token, 'string');
      trip.print(`${accounts.admin} gets an access token for ${tokens.expires_in} s, with these scopes:`);
      trip.print(tokens.scope ?? '');
    },
  },
  {
    title: 'Whose token is it, and which companies may it act for?',
    async run(trip) {
      const { body } = await trip.request('GET', '/auth/user', { token: trip.tokens.admin, status: 200 });
      expect('the email address', body.email, accounts.admin);
      const company = body.companies.find(({ name }: { name: string }) => name === companyName);
      expect('the role', company?.role, 'admin');
      trip.company_id = company.id;
      trip.print(`${body.name} is ${company.role} of ${company.name}: X-Company-Id ${company.id}`);
    },
  },
];

export async function signInAs(trip: Trip, role: keyof Trip['tokens']) {
  const { base_url: baseUrl, client_id: clientId, password } = trip;
  const tokens = await signIn({ base_url: baseUrl, client_id: clientId, email: accounts[role], password });
  trip.tokens[role] = tokens.access_token;
  return tokens;
}
