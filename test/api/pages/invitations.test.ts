/** The invitation page: admits one person, once, and reveals nothing to others. */

import { sql } from 'kysely';
import { noFields } from '../../../src/identity/members/company-fields.ts';
import { collaboratorEvent } from '../../../src/product/collaborators/responses/collaborator-response.ts';
import { changeStatus } from '../../../src/product/collaborators/status.ts';
import { addCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { changeCollaborator, lockCollaborator } from '../../../src/product/collaborators/write/change-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { invite, inviteNow } from '../../../src/product/invitations/send-invitation.ts';
import { backdated } from '../../helpers/database/backdated.ts';
import { createBrowser, type Page, signIn } from '../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../identity/mailbox.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const password = 'a river runs past the mill';
const noActor = { user_id: null, role: null };

let service: OAuthService;
let mailbox: Mailbox;
let people = 0;

beforeAll(async () => {
  service = await oauthService({ APP_URL: 'https://app.example/start' });
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});

function tenant(company = 0) {
  return service.database.db.tenant(service.company_ids[company]!);
}

async function invited(email = `person-${++people}@example.com`, company = 0) {
  const fields = { name: 'Inês Sá <b>', email, position: 'Driver', department: 'Fleet' };
  const { id } = await counted(tenant(company), (tx) => addCollaborator(tx, noActor, fields));
  const { mail, base_url: baseUrl } = service;
  await inviteNow(tenant(company), noActor, id, { mail, base_url: baseUrl });
  const subject = company === 0 ? 'Verde Logística invited you' : 'Nordwind Spedition invited you';
  return { id, email, link: await mailbox.link(email, subject) };
}

async function open(link: string) {
  const browser = createBrowser(service.base_url);
  return { browser, page: await browser.open(link) };
}

async function accept(link: string, values: Record<string, string> = { password, password_again: password }) {
  const { browser, page } = await open(link);
  return browser.submit(page, page.forms[0]!, values);
}

async function statusOf(id: string) {
  const [row] = await service.database.query<{ status: string; user_id: string | null; accepted_at: Date | null }>(
    'select status, user_id, accepted_at from collaborators where id = $1',
    [id],
  );
  return row!;
}

function expectExpired(page: Page): void {
  expect(page.status).toBe(410);
  expect(page.forms).toEqual([]);
  expect(page.html).toContain('This invitation no longer works');
  expect(page.html).not.toMatch(/Verde|Inês|@example/);
}

describe('a new person', () => {
  test('chooses a password and can sign in', async () => {
    const { id, email, link } = await invited();
    const { browser, page } = await open(link);
    expect(page.status).toBe(200);
    expect(page.html).toContain('Verde Logística');
    expect(page.html).toContain('Inês Sá &lt;b&gt;');
    expect(page.forms[0]!.value('email')).toBe(email);
    const done = await browser.submit(page, page.forms[0]!, { password, password_again: password });
    expect(done.status).toBe(200);
    expect(done.html).toContain('Welcome to Verde Logística');
    expect(done.html).toContain('href="https://app.example/start"');

    const row = await statusOf(id);
    expect(row).toMatchObject({ status: 'active', user_id: expect.any(String), accepted_at: expect.any(Date) });
    const tokens = await signIn({ ...service, client: service.native, email, password, scopes: ['profile'] });
    const verified = await service.verify(tokens.access_token);
    expect(verified).toMatchObject({ user_id: row.user_id, company_ids: [service.company_ids[0]] });
    const events = await service.database.query<{ name: string }>(
      `select name from events where payload::text like '%' || $1 || '%' order by id`,
      [id],
    );
    expect(events.map(({ name }) => name)).toEqual([
      'collaborator.created',
      'collaborator.invited',
      'collaborator.status_changed',
      'collaborator.invitation_accepted',
    ]);
  });

  test('sees why the password is rejected, and can open the page repeatedly', async () => {
    const { id, link } = await invited();
    const rejected: [Record<string, string>, string][] = [
      [{ password: 'short', password_again: 'short' }, 'at least 15 characters'],
      [{ password: 'ines sa verde 2025', password_again: 'ines sa verde 2025' }, 'your name'],
      [{ password, password_again: 'another one entirely' }, 'not the same'],
      [{}, 'at least 15 characters'],
    ];
    for (const [values, reason] of rejected) {
      const failed = await accept(link, values);
      expect(failed.status).toBe(400);
      expect(failed.html).toContain(reason);
      expect(failed.html).toContain('role="alert"');
      expect(failed.forms[0]!.value('password')).toBe('');
    }
    expect((await statusOf(id)).status).toBe('pending');
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    expect((await accept(link)).status).toBe(200);
  });
});

describe('a person with an account', () => {
  test('confirms with the password', async () => {
    const email = 'mariana@example.com'; // the admin of the first company, invited by the second
    const { id, link } = await invited(email, 1);
    const { browser, page } = await open(link);
    expect(page.html).toContain('You already have an account');
    expect(page.forms[0]!.has('password_again')).toBe(false);
    const failed = await browser.submit(page, page.forms[0]!, { password: 'not the password' });
    expect(failed.status).toBe(401);
    expect(failed.html).toContain('not the password of your account');
    expect((await statusOf(id)).status).toBe('pending');
    const done = await browser.submit(failed, failed.forms[0]!, { password: service.ana.password });
    expect(done.html).toContain('Welcome to Nordwind Spedition');
    expect((await statusOf(id)).status).toBe('active');
    const tokens = await signIn({ ...service, ...service.ana, email, client: service.native, scopes: ['profile'] });
    const { company_ids: companyIds } = await service.verify(tokens.access_token);
    expect(companyIds.toSorted()).toEqual(service.company_ids.toSorted());
  });

  test('but without a password chooses one', async () => {
    const { id, email, link } = await invited();
    await service.database.query(`insert into users (id, email, name) values (gen_random_uuid(), $1, 'Known')`, [
      email,
    ]);
    expect((await accept(link)).status).toBe(200);
    expect((await statusOf(id)).status).toBe('active');
  });

  test('created after opening the page confirms with the password', async () => {
    const first = await invited();
    const second = await invited(first.email, 1);
    const { browser, page } = await open(second.link);
    await accept(first.link);
    const another = 'something else entirely';
    const passwordPage = await browser.submit(page, page.forms[0]!, { password: another, password_again: another });
    expect(passwordPage.status).toBe(401);
    expect(passwordPage.forms[0]!.has('password_again')).toBe(false);
    const done = await browser.submit(passwordPage, passwordPage.forms[0]!, { password });
    expect(done.status).toBe(200);
  });

  test('gets a single account if two invitations are accepted at the same time', async () => {
    const first = await invited();
    const second = await invited(first.email, 1);
    const pages = await Promise.all([open(first.link), open(second.link)]);
    const responses = await Promise.all(
      pages.map(({ browser, page }, i) => {
        const ownPassword = `${password} ${i}`;
        return browser.submit(page, page.forms[0]!, { password: ownPassword, password_again: ownPassword });
      }),
    );
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expect([401, 409]).toContain(refused[0]!.status);
    expect(refused[0]!.html).toContain('You already have an account');
    const accounts = await service.database.query('select id from users where email = $1', [first.email]);
    expect(accounts).toHaveLength(1);
  });

  test('linked to another profile of the company gets an error', async () => {
    const first = await invited();
    await accept(first.link);
    await moveTo(first.id, `moved-${first.email}`);
    const second = await invited(first.email);
    const refused = await accept(second.link, { password });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('You already belong to this company');
    expect((await statusOf(second.id)).status).toBe('pending');
  });
});

async function moveTo(id: string, email: string): Promise<void> {
  await counted(tenant(), async (tx) => {
    const row = await lockCollaborator(tx, id);
    await changeCollaborator(tx, noActor, row, {
      set: { email },
      action: 'updated',
      description: 'Address changed',
      event: 'collaborator.created',
      payload: (after) => collaboratorEvent(after, noFields),
    });
  });
}

describe('a link is invalid', () => {
  test('for all but one of concurrent uses', async () => {
    const { id, link } = await invited();
    const { browser, page } = await open(link);
    const values = { password, password_again: password };
    const responses = await Promise.all(Array.from({ length: 3 }, () => browser.submit(page, page.forms[0]!, values)));
    expect(responses.filter(({ html }) => html.includes('Welcome to'))).toHaveLength(1);
    expect((await statusOf(id)).status).toBe('active');
    expectExpired(await browser.submit(page, page.forms[0]!, values));
    expectExpired((await open(link)).page);
  });

  test.each([
    ['when it has expired', `update invitations set expires_at = now() where collaborator_id = $1`],
    ['when it was cancelled', `update invitations set state = 'cancelled' where collaborator_id = $1`],
    ['for someone who was deleted', 'update collaborators set deleted_at = now() where id = $1'],
    ['for someone inactive', `update collaborators set status = 'inactive' where id = $1`],
  ])('%s', async (_name, sql) => {
    const { id, link } = await invited();
    const { browser, page } = await open(link);
    await service.database.query(sql, [id]);
    expectExpired((await open(link)).page);
    expectExpired(await browser.submit(page, page.forms[0]!, { password, password_again: password }));
    expect((await statusOf(id)).user_id).toBeNull();
  });

  test('after deactivation or another invitation', async () => {
    const first = await invited();
    await counted(tenant(), async (tx) => {
      await changeStatus(tx, noActor, await lockCollaborator(tx, first.id), 'inactive', null);
    });
    expectExpired((await open(first.link)).page);
    await service.database.query(`update invitations set ${backdated('sent_at', "interval '2 minutes'")}`);
    const { mail, base_url: baseUrl } = service;
    await inviteNow(tenant(), noActor, first.id, { mail, base_url: baseUrl });
    expectExpired((await open(first.link)).page);
    const second = await mailbox.link(first.email, 'Verde Logística invited you');
    expect(second).not.toBe(first.link);
    expect((await accept(second)).status).toBe(200);
  });

  test('for another email than it was sent to', async () => {
    const { id, link } = await invited();
    await moveTo(id, 'somebody.else@example.com');
    expectExpired((await open(link)).page);
    const users = await service.database.query(`select 1 from users where email = 'somebody.else@example.com'`);
    expect(users).toEqual([]);
  });

  test('with the company of another invitation', async () => {
    const [own, other] = [await invited(), await invited(undefined, 1)];
    const [company, secret] = [other, own].map(({ link }, at) => link.split('/').at(-1)!.split('.')[at]!);
    expectExpired((await open(`${service.base_url}/oauth/invitation/${company}.${secret}`)).page);
    for (const { link } of [own, other]) expect((await open(link)).page.status).toBe(200);
  });

  test.each([
    ['nonsense', 'nonsense'],
    ['another company', `${Buffer.alloc(16, 3).toString('base64url')}.${'x'.repeat(43)}`],
    ['no secret', `${Buffer.alloc(16, 3).toString('base64url')}.`],
    ['characters that no text can have', '%00'],
  ])('if forged: %s', async (_name, token) => {
    expectExpired((await open(`${service.base_url}/oauth/invitation/${token}`)).page);
  });
});

test('accepting and deactivating at the same time end in one of the two states without a deadlock', async () => {
  const all = await Promise.all(Array.from({ length: 2 }, () => invited()));
  for (const { id, link } of all) {
    const { browser, page } = await open(link);
    const deactivate = counted(tenant(), async (tx) => {
      await changeStatus(tx, noActor, await lockCollaborator(tx, id), 'inactive', null);
    });
    const [response] = await Promise.all([
      browser.submit(page, page.forms[0]!, { password, password_again: password }),
      deactivate,
    ]);
    expect([200, 410]).toContain(response.status);
    expect((await statusOf(id)).status).toBe('inactive');
  }
});

test('the queue contains no secret', async () => {
  const { id } = await counted(tenant(), (tx) =>
    addCollaborator(tx, noActor, { name: 'Q', email: 'queue@example.com', position: 'x', department: 'y' }),
  );
  const payloads: string[] = [];
  await counted(tenant(), async (tx) => {
    const { mail, base_url: baseUrl } = service;
    await invite(tx, noActor, await lockCollaborator(tx, id), { mail, base_url: baseUrl });
    const jobs = await sql<{ payload: unknown }>`select payload from graphile_worker._private_jobs`.execute(tx.raw);
    payloads.push(JSON.stringify(jobs.rows));
  });
  const link = await mailbox.link('queue@example.com', 'Verde Logística invited you');
  expect(payloads[0]).toContain('sealed');
  expect(payloads[0]).not.toContain('queue@example.com');
  expect(payloads[0]).not.toContain(link.split('.').at(-1));
});
