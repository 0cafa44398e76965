/** Chapter: a new person receives an invitation by email, chooses a password, and signs in. */
import { signIn } from '../run/sign-in.ts';
import { fillIn } from './form.ts';
import { mailedLink } from './outbox.ts';
import { expect, type Step } from './story.ts';

export const invitation: Step[] = [
  {
    title: 'The admin invites one of the new people',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const { id, email } = trip.created[0]!;
      const { body } = await trip.request('POST', `/v1/collaborators/${id}/send-invitation`, { ...as, status: 200 });
      trip.print(`  ${body.message}`);
      const { file, link } = await mailedLink(trip.outbox, email, `${trip.base_url}/oauth/invitation/`);
      trip.print(`The worker has sent the mail; without a mail server it is a file: ${file}`);
      trip.guest = { id, email, link, token: '' };
    },
  },
  {
    title: 'The person opens the link, and chooses a password on its page',
    async run(trip) {
      const { link } = trip.guest;
      const values = { password: trip.password, password_again: trip.password };
      const { title, nextTitle } = await fillIn(link, values);
      trip.print(`“${title}” → “${nextTitle}”`);
      const second = await fetch(link);
      expect('the status of the link when it was used', second.status, 410);
      trip.print('The link works once: opened again, it returns 410.');
    },
  },
  {
    title: 'They are active now',
    async run(trip) {
      const as = { token: trip.tokens.admin, company_id: trip.company_id };
      const { body } = await trip.request('GET', `/v1/collaborators/${trip.guest.id}/status`, { ...as, status: 200 });
      expect('the status', body.status, 'active');
      expect('the state of the invitation', body.invitation.state, 'accepted');
      trip.print(`  ${body.status} since ${body.since}, invitation ${body.invitation.state}`);
    },
  },
  {
    title: 'They sign in, and see themselves and no one else',
    async run(trip) {
      const { base_url: baseUrl, client_id: clientId, password, company_id: companyId, guest } = trip;
      const tokens = await signIn({ base_url: baseUrl, client_id: clientId, email: guest.email, password });
      guest.token = tokens.access_token;
      const { body } = await trip.request('GET', '/v1/collaborators', {
        token: guest.token,
        company_id: companyId,
        status: 200,
      });
      const ids = body.data.map(({ id }: { id: string }) => id);
      expect('who is seen', ids, [guest.id]);
      trip.print(`  only ${body.data[0].name}`);
    },
  },
];
