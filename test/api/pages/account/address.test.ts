/** Changing a person's email through the company: it becomes the sign-in address only after the person confirms it. */
import { createClient } from '../../../../src/identity/clients/clients.ts';
import { createResetQueue, sendReset } from '../../../../src/identity/passwords/password-resets.ts';
import { hashPassword } from '../../../../src/identity/passwords/passwords.ts';
import { createMailQueue } from '../../../../src/platform/mail/mail-queue.ts';
import { createPerson } from '../../../../src/product/companies/companies.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { backdated } from '../../../helpers/database/backdated.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { authorizationUrl, createBrowser, newVerifier, type Page } from '../../../helpers/identity/oauth.ts';
import { hashOf } from '../../../helpers/identity/people.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';

const password = 'correct horse battery staple';
const redirectUri = 'http://127.0.0.1/callback';
const subject = 'Confirm your new address';

let app: TestApp;
let mailbox: Mailbox;
let client: { id: string };
beforeAll(async () => {
  app = await testApp();
  mailbox = await openMailbox(app);
  client = await createClient(app.database.db, { name: 'Desk', redirect_uris: [redirectUri], public: true });
});
afterAll(async () => {
  await mailbox.close();
  await app.close();
});

let serial = 0;
async function member(): Promise<{ id: string; user_id: string; email: string; fresh: string }> {
  serial += 1;
  const email = `member${serial}@example.com`;
  const person = { name: `Member ${serial}`, email, position: 'x', department: 'y', password };
  const { collaborator_id: id, user_id: userId } = await createPerson(
    app.database.db,
    app.company_id,
    person,
    await hashOf({ email: 'any', password }),
  );
  return { id, user_id: userId, email, fresh: `fresh${serial}@example.com` };
}

const change = (id: string, email: string, by: TestClient = app.admin) =>
  by.patch(`/v1/collaborators/${id}`, { email }).expect(200);

async function submitPassword(link: string, typed: string): Promise<Page> {
  const browser = createBrowser(app.base_url);
  const page = await browser.open(link);
  return browser.submit(page, page.forms[0]!, { password: typed });
}

/** Whether the password leads to the consent page. */
async function canSignIn(email: string): Promise<boolean> {
  const authorization = {
    client_id: client.id,
    redirect_uri: redirectUri,
    scopes: ['profile'],
    verifier: newVerifier(),
  };
  const browser = createBrowser(app.base_url);
  const page = await browser.open(authorizationUrl({ ...app, ...authorization }));
  const next = await browser.submit(page, page.forms[0]!, { email, password, action: 'login' });
  return next.html.includes('to act for you?');
}

const loginOf = async (userId: string) =>
  (await app.database.query<{ email: string }>('select email from users where id = $1', [userId]))[0]!.email;

describe('a changed email', () => {
  test('becomes the sign-in address after confirmation with the password, and the old one is notified', async () => {
    const { id, user_id: userId, email, fresh } = await member();
    await change(id, fresh);
    expect(await canSignIn(email)).toBe(true);
    expect(await canSignIn(fresh)).toBe(false);
    const link = await mailbox.link(fresh, subject);
    expect((await submitPassword(link, 'not the password at all')).status).toBe(401);
    expect(await loginOf(userId)).toBe(email);

    expect((await submitPassword(link, password)).status).toBe(200);
    expect(await canSignIn(fresh)).toBe(true);
    expect(await canSignIn(email)).toBe(false);
    expect(await mailbox.subjects(email)).toEqual(['You now sign in with another address']);
    expect((await createBrowser(app.base_url).open(link)).status).toBe(410);
    await app.audit.flush();
    const { body } = await app.admin.get('/v1/audit?action=sign_in_address.changed').expect(200);
    expect(body.data[0]).toMatchObject({ actor: { user_id: userId }, target: { type: 'user', id: userId } });
    expect(JSON.stringify(body)).not.toContain(email);
  });

  test('receives password reset links from then on, and earlier links expire', async () => {
    const { id, email, fresh } = await member();
    const { database, base_url: baseUrl, config } = app;
    const mail = createMailQueue(config.encryption_keys);
    const requester = () => ({ requested_by: Buffer.from('x'), known_device: false });
    await sendReset(database.db, mail, baseUrl, { email, language: 'en', requester });
    const before = await mailbox.link(email, 'Choose a new password');
    await change(id, fresh);
    await submitPassword(await mailbox.link(fresh, subject), password);
    expect((await createBrowser(baseUrl).open(before)).status).toBe(410);
    await database.query(`update password_resets set ${backdated('created_at', "interval '1 hour'")}`);
    for (const address of [email, fresh])
      await createResetQueue(config.encryption_keys).request(database.db.global, address, 'en');
    expect(await mailbox.subjects(fresh)).toContain('Choose a new password');
    expect((await mailbox.subjects(email)).filter((each) => each === 'Choose a new password')).toHaveLength(1);
  });

  test('by a bulk request sends a confirmation too', async () => {
    const one = await member();
    const items = [{ id: one.id, email: one.fresh }];
    await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    expect((await submitPassword(await mailbox.link(one.fresh, subject), password)).status).toBe(200);
  });

  test('that two people exchange gives neither the account of the other', async () => {
    const [one, two] = [await member(), await member()];
    const passwordOfTwo = 'another long passphrase of two';
    await app.database.query('update users set password_hash = $1 where id = $2', [
      await hashPassword(passwordOfTwo),
      two.user_id,
    ]);
    const items = [
      { id: one.id, email: two.email },
      { id: two.id, email: one.email },
    ];
    await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    const links = [await mailbox.link(two.email, subject), await mailbox.link(one.email, subject)] as const;
    expect((await submitPassword(links[0], passwordOfTwo)).status).toBe(401);
    expect((await submitPassword(links[1], password)).status).toBe(401);
    const waiting = await submitPassword(links[0], password);
    expect([waiting.status, waiting.html]).toEqual([409, expect.stringContaining('one of you first needs a third')]);
    expect((await submitPassword(links[1], passwordOfTwo)).status).toBe(409);
    expect(await Promise.all([loginOf(one.user_id), loginOf(two.user_id)])).toEqual([one.email, two.email]);
    expect([await canSignIn(one.email), await canSignIn(two.email)]).toEqual([true, false]);
    expect((await app.database.query('select user_id from collaborators where id = $1', [one.id]))[0]).toEqual({
      user_id: one.user_id,
    });
  });

  test('of a person who hasn’t accepted an invitation sends none', async () => {
    serial += 1;
    const person = { name: 'Not Yet', email: `pending${serial}@example.com`, position: 'x', department: 'y' };
    const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
    await app.admin.post(`/v1/collaborators/${body.id}/activate`).expect(200);
    await change(body.id, `other${serial}@example.com`);
    expect(await mailbox.subjects(`other${serial}@example.com`)).toEqual([]);
  });

  test('that is changed again, or belongs to a deactivated person, invalidates the link', async () => {
    const { id, user_id: userId, email, fresh } = await member();
    await change(id, fresh);
    const first = await mailbox.link(fresh, subject);
    await change(id, `newer.${fresh}`);
    expect((await createBrowser(app.base_url).open(first)).status).toBe(410);
    const second = await mailbox.link(`newer.${fresh}`, subject);
    await app.admin.post(`/v1/collaborators/${id}/deactivate`).expect(200);
    expect((await createBrowser(app.base_url).open(second)).status).toBe(410);
    expect(await loginOf(userId)).toBe(email);
  });

  test('used by another account stays theirs, which only a person with the password learns', async () => {
    const { id, user_id: userId, email } = await member();
    const other = await createPerson(app.database.db, app.outsider.company_id, {
      name: 'Other',
      email: `other${serial}@elsewhere.example`,
      position: 'x',
      department: 'y',
      password,
    });
    await change(id, `other${serial}@elsewhere.example`);
    const link = await mailbox.link(`other${serial}@elsewhere.example`, subject);
    expect((await submitPassword(link, 'not the password at all')).status).toBe(401);
    expect((await submitPassword(link, password)).status).toBe(409);
    expect(await loginOf(userId)).toBe(email);
    expect(await loginOf(other.user_id)).toBe(`other${serial}@elsewhere.example`);
  });

  test('gets at most five emails per day', async () => {
    const { id, fresh } = await member();
    const mails: number[] = [];
    for (let n = 0; n < 7; n++) {
      await change(id, `${n}.${fresh}`);
      mails.push((await mailbox.subjects(`${n}.${fresh}`)).length);
    }
    expect(mails).toEqual([1, 1, 1, 1, 1, 0, 0]);
  });

  test('counts toward the company’s daily email quota, and waits beyond it', async () => {
    await app.database.query(
      `insert into mail_counts (company_id, day, mails, busy_until)
       values ($1, (now() at time zone 'utc')::date, 500, now()) on conflict (company_id) do update set mails = 500`,
      [app.company_id],
    );
    const { id, fresh } = await member();
    await change(id, fresh);
    await eventually(async () => {
      const jobs = await app.database.query(
        "select j.attempts from graphile_worker._private_jobs j where j.key = 'address:' || $1 and j.attempts > 0",
        [id],
      );
      expect(jobs).toHaveLength(1);
    });
    await app.database.query('update mail_counts set mails = 0');
    await app.database.query("update graphile_worker._private_jobs set run_at = now() where key = 'address:' || $1", [
      id,
    ]);
    expect(await mailbox.subjects(fresh)).toEqual([subject]);
  });

  test('rejects a modified link', async () => {
    const { id, fresh } = await member();
    await change(id, fresh);
    const link = await mailbox.link(fresh, subject);
    const at = link.length - 20;
    const altered = link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1);
    for (const each of [altered, `${link}=`, `${link}A`, `${app.base_url}/oauth/address/x`]) {
      expect((await createBrowser(app.base_url).open(each)).status).toBe(410);
    }
    expect((await createBrowser(app.base_url).open(link)).status).toBe(200);
  });
});

describe('an admin who writes their own mailbox into another person’s record', () => {
  test('gets neither the account nor information about it', async () => {
    const { user_id: userId, email } = await member();
    const eve = 'eve@evil.example';
    const person = { name: 'As Eve Calls Them', email, position: 'x', department: 'y', password };
    const { collaborator_id: collaboratorId } = await createPerson(app.database.db, app.outsider.company_id, person);
    await change(collaboratorId, eve, app.outsider);

    const link = await mailbox.link(eve, subject);
    const page = await createBrowser(app.base_url).open(link);
    expect(page.status).toBe(200);
    expect(page.html).toContain('As Eve Calls Them');
    for (const secret of [email, 'Verde', `Member ${serial}`]) expect(page.html).not.toContain(secret);
    for (const typed of ['', 'password of eve herself', eve])
      expect((await submitPassword(link, typed)).status).toBe(401);

    const browser = createBrowser(app.base_url);
    const forgot = await browser.open(`${app.base_url}/oauth/forgot`);
    await browser.submit(forgot, forgot.forms[0]!, { email: eve });
    expect(await mailbox.subjects(eve)).toEqual([subject]);
    await app.outsider.post(`/v1/collaborators/${collaboratorId}/send-invitation`).expect(409);
    await app.outsider.delete(`/v1/collaborators/${collaboratorId}`).expect(200);
    await app.outsider.post(`/v1/collaborators/${collaboratorId}/restore`).expect(200);
    expect(await loginOf(userId)).toBe(email);
    expect(await canSignIn(email)).toBe(true);
    expect(await canSignIn(eve)).toBe(false);
  });
});
