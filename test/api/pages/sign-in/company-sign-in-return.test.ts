/** People who were deleted and added again as a new record. */
import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
} from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import { userUrn } from '../../../helpers/resources/directories.ts';
import {
  allowPrivate,
  authUserOf,
  directoryPerson,
  invitedPerson,
  type SignIns,
  signIns,
  throughProvider,
  tokensBy,
} from './company-sign-in-people.ts';

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

const accept = async (link: string) => {
  const browser = createBrowser(app.base_url);
  const page = await browser.open(link);
  const redirect = await browser.submit(page, page.forms.at(-1)!, { connection: idp.connection_id });
  return browser.open((await idp.signIn(redirectTargetOf(redirect))).href);
};
const personOf = (subject: string) =>
  app.database.query('select collaborator_id as id from sign_in_links where subject = $1', [subject]);

test('an invitation to a new record is accepted', async () => {
  idp.person = { sub: randomUUID() };
  const left = await invitedPerson(signing);
  expect((await accept(left.link)).html).toContain('You have joined');
  const before = await tokensBy(signing, idp);
  const earlier = await authUserOf(signing, before.tokens.access_token);
  await app.admin.delete(`/v1/collaborators/${left.id}`).expect(200);
  const { page: gone } = await throughProvider(signing, idp);
  expect([gone.status, gone.html]).toEqual([403, expect.stringContaining('inactive')]);
  const returned = await invitedPerson(signing);
  expect((await accept(returned.link)).html).toContain('You have joined');
  expect(await personOf(idp.person.sub)).toEqual([{ id: returned.id }]);
  const { tokens } = await tokensBy(signing, idp);
  const user = await authUserOf(signing, tokens.access_token);
  expect(user.id).not.toBe(earlier.id);
  expect(user.companies).toHaveLength(1);
});

test('a subject of a person who was not deleted opens no other record', async () => {
  idp.person = { sub: randomUUID() };
  const present = await invitedPerson(signing);
  await accept(present.link);
  for (const change of ['activate', 'deactivate']) {
    await app.admin.post(`/v1/collaborators/${present.id}/${change}`).expect(200);
    const page = await accept((await invitedPerson(signing)).link);
    expect([page.status, page.html]).toEqual([403, expect.stringContaining('tied to another')]);
  }
  expect(await personOf(idp.person.sub)).toEqual([{ id: present.id }]);
});

describe('a directory sends a new record once the deleted one can’t be restored', () => {
  const returning = async (d: { id: string; sub: string; userName: string }) => {
    await app.database.query("update collaborators set deleted_at = now() - interval '31 days' where id = $1", [d.id]);
    const sent = { schemas: [userUrn], userName: d.userName, externalId: d.sub, displayName: 'Inês Sá', active: true };
    const { body } = await signing.directory.post('/Users', sent).expect(201);
    expect(body.id).not.toBe(d.id);
    return body.id as string;
  };

  test.each(['directory', 'admin'])('after a deletion by the %s', async (by) => {
    const person = await directoryPerson(signing);
    idp.person = { sub: person.sub };
    await throughProvider(signing, idp);
    if (by === 'directory') await signing.directory.delete(`/Users/${person.id}`).expect(204);
    await app.admin.delete(`/v1/collaborators/${person.id}`).expect(200);
    const { page: gone } = await throughProvider(signing, idp);
    expect([gone.status, gone.html]).toEqual([403, expect.stringContaining('inactive')]);
    const id = await returning(person);
    expect((await throughProvider(signing, idp)).page.html).toContain('Verde Logística');
    expect(await personOf(person.sub)).toEqual([{ id }]);
  });
});

test('a person of the directory who was deleted here before their first sign-in is refused with the reason', async () => {
  const { id, sub } = await directoryPerson(signing);
  idp.person = { sub };
  await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
  const { page } = await throughProvider(signing, idp);
  expect([page.status, page.html]).toEqual([403, expect.stringContaining('no invitation or directory entry')]);
});
