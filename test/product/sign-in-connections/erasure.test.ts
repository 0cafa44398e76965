/** Erasing people who sign in with a provider, and deleting the connection. */
import { eraseUser } from '../../../src/product/erasure/erase-user.ts';
import {
  allowPrivate,
  authUserOf,
  directoryPerson,
  signIns,
  tokensBy,
} from '../../api/pages/sign-in/company-sign-in-people.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { type IdentityProvider, identityProvider } from '../../helpers/identity/identity-provider.ts';

let app: TestApp;
let idp: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

async function signedIn() {
  const signing = await signIns(app);
  const person = await directoryPerson(signing);
  idp.person = { sub: person.sub };
  const { tokens } = await tokensBy(signing, idp);
  return { ...person, user_id: (await authUserOf(signing, tokens.access_token)).id };
}

test('erasing the user removes the link to the provider', async () => {
  const { user_id: userId, sub } = await signedIn();
  expect(await app.database.query('select user_id from sign_in_links where subject = $1', [sub])).toEqual([
    { user_id: userId },
  ]);
  await app.database.db.global.transaction().execute((tx) => eraseUser(tx, app.config.encryption_keys, userId));
  expect(await app.database.query('select 1 from users where id = $1', [userId])).toEqual([]);
  expect(await app.database.query('select 1 from sign_in_links where subject = $1', [sub])).toEqual([]);
});

test('deleting the connection removes names and emails', async () => {
  const { user_id: userId, userName } = await signedIn();
  const [before] = await app.database.query('select email from users where id = $1', [userId]);
  expect(before).toEqual({ email: userName });
  for (const table of ['sign_in_links', 'memberships']) {
    expect(await app.database.query(`select 1 from ${table} where user_id = $1`, [userId])).toHaveLength(1);
  }
  await app.admin.delete(`/v1/sign-in-connections/${idp.connection_id}`).expect(200);
  const rows = await app.database.query('select name, email from users where id = $1', [userId]);
  expect(rows).toEqual([{ name: '', email: '' }]);
  expect(await app.database.query('select 1 from sign_in_links')).toEqual([]);
  expect(await app.database.query('select 1 from memberships where user_id = $1', [userId])).toEqual([]);
});
