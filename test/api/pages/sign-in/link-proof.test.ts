/** Accepting an invitation to an existing account requires the same as signing in, including the second factor. */

import { newSecret, secretHash } from '../../../../src/platform/secrets/secrets.ts';
import { addCollaborator } from '../../../../src/product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../../src/product/collaborators/write/collaborator-counts.ts';
import { inviteNow } from '../../../../src/product/invitations/send-invitation.ts';
import { type OAuthService, oauthService } from '../../../identity/service.ts';
import {
  appOwner,
  at,
  baseUrl,
  challengeOn,
  codeOf,
  formWith,
  isConsent,
  newBrowser,
  passkeyOwner,
  password,
  url,
} from './factor-people.ts';

const noActor = { user_id: null, role: null };

let service: OAuthService;
beforeAll(async () => {
  service = await oauthService({}, baseUrl);
});
afterAll(() => service.close());

async function invited(email: string): Promise<{ id: string; link: string }> {
  const tenant = service.database.db.tenant(service.company_ids[1]);
  const fields = { name: 'Inês Sá', email, position: 'Driver', department: 'Fleet' };
  const { id } = await counted(tenant, (tx) => addCollaborator(tx, noActor, fields));
  await service.database.query('delete from graphile_worker._private_jobs');
  await inviteNow(tenant, noActor, id, { mail: service.mail, base_url: baseUrl });
  const [job] = await service.database.query<{ payload: unknown }>('select payload from graphile_worker._private_jobs');
  return { id, link: (service.mail.open(job!.payload).values as { link: string }).link };
}

async function isIn({ id }: { id: string }): Promise<boolean> {
  const [row] = await service.database.query<{ status: string }>('select status from collaborators where id = $1', [
    id,
  ]);
  return row!.status === 'active';
}

async function afterPassword(invitation: { link: string }) {
  const browser = newBrowser(service);
  const page = await browser.open(invitation.link);
  return { browser, step: await browser.submit(page, page.forms[0]!, { password }) };
}

test('people with an authenticator app need its code in addition to the password', async () => {
  const { email, key } = await appOwner(service);
  const invitation = await invited(email);
  const { browser, step } = await afterPassword(invitation);
  expect([step.status, step.html.includes('Confirm it’s you')]).toEqual([200, true]);
  expect(step.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await isIn(invitation)).toBe(false);
  const wrong = await browser.submit(step, formWith(step, 'code'), { action: 'prove-code', code: codeOf(key, 20) });
  expect([wrong.status, await isIn(invitation)]).toEqual([401, false]);
  const done = await browser.submit(wrong, formWith(wrong, 'code'), { action: 'prove-code', code: codeOf(key) });
  expect(done.html).toContain('Welcome to Nordwind Spedition');
  expect(await isIn(invitation)).toBe(true);
});

test('a recovery code or the person’s own passkey works too, but not the passkey of another person', async () => {
  const [ana, rui] = [await passkeyOwner(service), await passkeyOwner(service)];
  const invitation = await invited(ana.email);
  const { browser, step } = await afterPassword(invitation);
  const foreign = rui.device.signed(at(challengeOn(step)), rui.id);
  const refused = await browser.submit(step, formWith(step, 'credential'), { credential: foreign });
  expect([refused.status, await isIn(invitation)]).toEqual([401, false]);
  const credential = ana.device.signed(at(challengeOn(refused)), ana.id);
  const done = await browser.submit(refused, formWith(refused, 'credential'), { credential });
  expect([done.status, await isIn(invitation)]).toEqual([200, true]);

  const other = await invited(rui.email);
  const second = await afterPassword(other);
  const values = { action: 'prove-code', code: rui.codes[0]! };
  await second.browser.submit(second.step, formWith(second.step, 'code'), values);
  expect(await isIn(other)).toBe(true);
});

test('the second step requires the password, of the same link and person', async () => {
  const [ana, rui] = [await appOwner(service), await appOwner(service)];
  const ownInvitation = await invited(rui.email);
  const foreignInvitation = await invited(ana.email);
  const page = await newBrowser(service).open(foreignInvitation.link);
  const { browser, step } = await afterPassword(ownInvitation);
  const form = formWith(step, 'code');
  const codePage = await browser.open(foreignInvitation.link);
  const moved = { ...form, action: page.forms[0]!.action };
  for (const signed of [form.hidden.signed!, '', `${form.hidden.signed!}.`]) {
    const hidden = { ...codePage.forms[0]!.hidden, signed };
    for (const key of [ana.key, rui.key]) {
      const refused = await browser.submit(codePage, { ...moved, hidden }, { action: 'prove-code', code: codeOf(key) });
      expect([refused.status, refused.html.includes('Type your password again')]).toEqual([401, true]);
    }
  }
  expect(await isIn(foreignInvitation)).toBe(false);
});

test('a password reset link doesn’t bypass the second factor', async () => {
  const { id, email, key } = await appOwner(service);
  const secret = newSecret();
  const link = { token_hash: secretHash(secret), user_id: id, expires_at: new Date(Date.now() + 60_000).toISOString() };
  await service.database.db.global.insertInto('password_resets').values(link).execute();
  const browser = newBrowser(service);
  const page = await browser.open(`${baseUrl}/oauth/reset/${secret}`);
  const another = 'a river runs past the mill';
  const done = await browser.submit(page, page.forms[0]!, { password: another, password_again: another });
  expect(done.html).toContain('Your password was changed');
  const login = await browser.open(url(service));
  const step = await browser.submit(login, formWith(login, 'password'), { email, password: another, action: 'login' });
  expect([isConsent(step), step.html.includes('Confirm it’s you')]).toEqual([false, true]);
  const values = { code: codeOf(key), action: 'prove-code' };
  expect(isConsent(await browser.submit(step, formWith(step, 'code'), values))).toBe(true);
});
