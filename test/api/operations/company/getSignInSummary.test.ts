import { v7 as uuidv7 } from 'uuid';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const summary = async () => (await app.admin.get('/v1/company/sign-in-summary').expect(200)).body;

async function addFactor(userId: string): Promise<void> {
  await app.database.query(
    `insert into totp_factors (id, user_id, name, secret_encrypted, last_step) values ($1, $2, 'Phone', '', 0)`,
    [uuidv7(), userId],
  );
}

async function addPasskey(userId: string): Promise<void> {
  await app.database.query(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports)
     values ($1, $2, 'Key', $3::text::bytea, '', 0, '{}')`,
    [uuidv7(), userId, uuidv7()],
  );
}

test('counts active admins who can sign in, and those without a second factor', async () => {
  expect(await summary()).toEqual({ admins: { count: 1, without_second_factor: 1 } });
  await app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role: 'admin' }).expect(200);
  expect(await summary()).toEqual({ admins: { count: 2, without_second_factor: 2 } });
  await addFactor(app.admin.user_id);
  await addPasskey(app.admin.user_id); // two factors of one person count once
  await addFactor(app.employee.user_id);
  await addFactor(app.outsider.user_id);
  expect(await summary()).toEqual({ admins: { count: 2, without_second_factor: 1 } });
  await addPasskey(app.manager.user_id);
  expect(await summary()).toEqual({ admins: { count: 2, without_second_factor: 0 } });
  await app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/deactivate`, {}).expect(200);
  expect(await summary()).toEqual({ admins: { count: 1, without_second_factor: 0 } });
});

test('rejects unknown parameters', async () => {
  await app.admin.get('/v1/company/sign-in-summary?role=manager').expect(400);
});
