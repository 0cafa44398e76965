/** Somebody accepted an invitation with an account of the provider that belongs to somebody else. */
import { newSecret, secretHash } from '../../../src/platform/secrets/secrets.ts';
import { invitationToken } from '../../../src/product/collaborators/membership/invitations.ts';
import { unlinkUser } from '../../../src/product/sign-in-connections/unlink-user.ts';
import {
  allowPrivate,
  authUserOf,
  directoryPerson,
  invitedPerson,
  readPeople,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from '../../api/pages/sign-in/company-sign-in-people.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { accessChangesApplied } from '../../helpers/identity/access-changes.ts';
import { type IdentityProvider, identityProvider, redirectTargetOf } from '../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../helpers/identity/oauth.ts';

let app: TestApp;
let signing: SignIns;
let idp: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  signing = await signIns(app);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const accept = async (link: string, sub: string) => {
  idp.person = { sub };
  const browser = createBrowser(app.base_url);
  const page = await browser.open(link);
  const redirect = await browser.submit(page, page.forms.at(-1)!, { connection: idp.connection_id });
  return browser.open((await idp.signIn(redirectTargetOf(redirect))).href);
};
const unlink = (id: string) => unlinkUser(app.database.db, id);

test('ends what the wrong account opened, and lets the person in again with the right one', async () => {
  const { id, link, email } = await invitedPerson(signing);
  expect((await accept(link, 'wrong')).html).toContain('You have joined the company');
  const { tokens, browser } = await tokensBy(signing, idp, ['profile', 'collaborators:read', 'offline_access']);
  const user = await authUserOf(signing, tokens.access_token);
  expect(await unlink(user.id)).toBe(1);
  await accessChangesApplied(app);
  expect(await readPeople(signing, tokens.access_token)).toBe(401);
  const sessions = await browser.open(`${app.base_url}/account`);
  expect(sessions.html).toContain('type="password"');
  const refused = await throughProvider(signing, idp);
  expect([refused.page.status, refused.page.html]).toEqual([403, expect.stringContaining('no invitation')]);
  expect((await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body).toMatchObject({ email });
  const audit = (await app.admin.get('/v1/audit?limit=100').expect(200)).body.data;
  expect(audit).toContainEqual(
    expect.objectContaining({
      action: 'sign_in_connection.unlinked',
      actor: expect.objectContaining({ type: 'operator' }),
      target: expect.objectContaining({ id }),
    }),
  );
  expect(await unlink(user.id)).toBeUndefined();

  await app.database.query("update invitations set sent_at = sent_at - interval '1 day' where collaborator_id = $1", [
    id,
  ]);
  await app.admin.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
  const secret = newSecret();
  await app.database.query("update invitations set token_hash = $2 where collaborator_id = $1 and state = 'sent'", [
    id,
    secretHash(secret),
  ]);
  const again = `${app.base_url}/oauth/invitation/${invitationToken(app.company_id, secret)}`;
  expect((await accept(again, 'right')).html).toContain('You have joined the company');
  expect(await readPeople(signing, (await tokensBy(signing, idp)).tokens.access_token)).toBe(200);
});

test('lets in the account that a directory names at once, as a new user', async () => {
  const { sub } = await directoryPerson(signing);
  idp.person = { sub };
  const first = await authUserOf(signing, (await tokensBy(signing, idp)).tokens.access_token);
  expect(await unlink(first.id)).toBe(1);
  const { tokens } = await tokensBy(signing, idp);
  expect(await readPeople(signing, tokens.access_token)).toBe(200);
  expect((await authUserOf(signing, tokens.access_token)).id).not.toBe(first.id);
});

test('changes nothing for the only admin, or an account of its own', async () => {
  expect(await unlink(app.admin.user_id)).toBeUndefined();
  const { id, sub } = await directoryPerson(signing);
  idp.person = { sub };
  const { tokens } = await tokensBy(signing, idp);
  const user = await authUserOf(signing, tokens.access_token);
  await app.admin.post(`/v1/collaborators/${id}/role`, { role: 'admin' }).expect(200);
  await app.database.query("update collaborators set role = 'employee' where id <> $1", [id]);
  await expect(unlink(user.id)).rejects.toMatchObject({ code: 'last_admin' });
  const links = await app.database.query('select 1 from sign_in_links where user_id = $1', [user.id]);
  expect(links).toHaveLength(1);
});
