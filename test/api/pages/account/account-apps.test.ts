/** Apps connected to an account, and its companies: revoking an app, and leaving a company. */
import { createPerson } from '../../../../src/product/companies/companies.ts';
import { eventually } from '../../../helpers/eventually.ts';
import type { Browser, Page, Tokens } from '../../../helpers/identity/oauth.ts';
import { hashOf } from '../../../helpers/identity/people.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';
import { type OAuthService, oauthService } from '../../../identity/service.ts';
import { baseUrl, formWith, newPerson, password } from '../sign-in/factor-people.ts';
import { openAccount, prove, thiefOf, tokensOf } from './account-people.ts';

let service: OAuthService;
let mailbox: Mailbox;
beforeAll(async () => {
  service = await oauthService({}, baseUrl);
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});

interface Person {
  email: string;
  browser: Browser;
}

const rowsOn = (page: Page) => page.forms.filter((form) => form.has('id'));
const refused = ({ access_token: accessToken }: Tokens) =>
  eventually(() => expect(service.verify(accessToken)).rejects.toMatchObject({ status: 401 }));

/** A person who belongs to both companies. */
async function withTwo() {
  const person = await newPerson(service);
  const record = { name: 'In Two', email: person.email, position: 'Planner', department: 'Ops', password };
  const { collaborator_id: collaboratorId } = await createPerson(
    service.database.db,
    service.company_ids[1],
    record,
    await hashOf({ email: 'any', password }),
  );
  return { ...person, collaborator_id: collaboratorId };
}

describe('apps', () => {
  test('are listed across companies; a revoked one is rejected within a second, and each company is notified', async () => {
    const person = await withTwo();
    const [one, other] = [await tokensOf(service, person), await tokensOf(service, person)];
    const page = await openAccount(person, '/account/apps');
    expect(page.html).toContain('For Nordwind Spedition, Verde Logística');
    expect(rowsOn(page)).toHaveLength(2);
    const after = await person.browser.submit(page, rowsOn(page)[1]!, { action: 'end' });
    expect(rowsOn(after)).toHaveLength(1);
    await refused(one);
    await expect(service.verify(other.access_token)).resolves.toBeTruthy();
    await mailbox.subjects(person.email); // waits for all jobs
    const events = await service.database.query<{ company_id: string; payload: string }>(
      "select company_id, payload::text as payload from events where name = 'connection.ended'",
    );
    expect(events.map(({ company_id: companyId }) => companyId).sort()).toEqual([...service.company_ids].sort());
    for (const { payload } of events) expect(payload).toMatch(new RegExp(`"ended_by": ?"${person.id}"`));
    const entries = await service.database.query(
      "select details from audit_log where action = 'grant.revoked' and actor_id = $1",
      [person.id],
    );
    expect(entries).toHaveLength(2);
  });

  test('of someone else can’t be revoked', async () => {
    const [person, thief] = [await newPerson(service), await newPerson(service)];
    const [tokens] = [await tokensOf(service, person), await tokensOf(service, thief)];
    const [ownRow] = rowsOn(await openAccount(person, '/account/apps'));
    const page = await openAccount(thief, '/account/apps');
    const [form] = rowsOn(page);
    for (const id of [ownRow!.hidden.id!, 'x', '\0']) {
      await thief.browser.submit(page, { ...form!, hidden: { ...form!.hidden, id } }, { action: 'end' });
    }
    const without = { ...form!, hidden: { id: form!.hidden.id! } };
    expect((await thief.browser.submit(page, without, { action: 'end' })).status).toBe(403);
    expect(rowsOn(await openAccount(thief, '/account/apps'))).toHaveLength(1);
    await expect(service.verify(tokens.access_token)).resolves.toBeTruthy();
  });
});

describe('a company', () => {
  /** The companies page after the password check, and the form of that company. */
  async function leaving(person: Person, companyId: string) {
    await openAccount(person, '/account/companies');
    const page = await prove(person, await person.browser.open(`${baseUrl}/account/companies`));
    const row = rowsOn(page).find((form) => form.hidden.id === companyId)!;
    return { page, row };
  }
  async function leave(person: Person, companyId: string): Promise<Page> {
    const { page, row } = await leaving(person, companyId);
    const confirmation = await person.browser.submit(page, row, { action: 'leave' });
    return person.browser.submit(confirmation, formWith(confirmation, 'id'), { action: 'leave-now' });
  }

  test('can be left: access ends, the record stays inactive, admins are notified, and other companies remain', async () => {
    const person = await withTwo();
    const tokens = await tokensOf(service, person);
    const [stays, left] = service.company_ids;
    expect((await leave(person, left)).html).toContain('You have left Nordwind Spedition');
    const verified = await service.verify(tokens.access_token);
    expect(JSON.stringify(verified)).not.toContain(left);
    expect(JSON.stringify(verified)).toContain(stays);
    const [row] = await service.database.query(
      'select status, status_reason, user_id, accepted_at, deleted_at, name from collaborators where id = $1',
      [person.collaborator_id],
    );
    const departed = { status: 'inactive', user_id: null, accepted_at: null, deleted_at: null, name: 'In Two' };
    expect(row).toEqual({ ...departed, status_reason: 'They left the company, on the page of their account' });
    const memberships = await service.database.query('select company_id from memberships where user_id = $1', [
      person.id,
    ]);
    expect(memberships).toEqual([{ company_id: stays }]);
    expect(await mailbox.subjects('ana@example.com')).toContain('In Two has left Nordwind Spedition');
    const entries = await service.database.query(
      "select company_id from audit_log where action = 'membership.ended' and actor_id = $1",
      [person.id],
    );
    expect(entries).toEqual([{ company_id: left }]);
    expect((await openAccount(person)).html).not.toContain('Nordwind');
  });

  test('can’t be left by its last admin, who sees why, or twice', async () => {
    const ana = { ...service.ana, browser: (await newPerson(service)).browser };
    const response = await leave(ana, service.company_ids[1]);
    expect([response.status, response.html.includes('You are the last admin of Nordwind Spedition')]).toEqual([
      409,
      true,
    ]);
    const person = await withTwo();
    const { page, row } = await leaving(person, service.company_ids[1]);
    const both = [1, 2].map(() => person.browser.submit(page, row, { action: 'leave-now' }));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    await mailbox.subjects(person.email);
    const subjects = (await mailbox.subjects('ana@example.com')).filter((subject) =>
      subject.startsWith('In Two has left'),
    );
    expect(subjects).toHaveLength(2); // one for each of the two people who left
  });

  test('can’t be left with a stolen session, or without belonging to it', async () => {
    const person = await newPerson(service);
    await openAccount(person, '/account/companies');
    const thief = thiefOf(service, person);
    const gate = await thief.open(`${baseUrl}/account/companies`);
    const [companyId, foreign] = service.company_ids;
    const values = { action: 'leave-now', id: companyId };
    expect((await thief.submit(gate, gate.forms[0]!, values)).status).toBe(403);
    const { page, row } = await leaving(person, companyId);
    for (const id of [foreign, 'x', '']) {
      const response = await person.browser.submit(page, row, { action: 'leave-now', id });
      expect([response.status, response.url]).toEqual([200, `${baseUrl}/account/companies`]);
    }
    const rows = await service.database.query('select company_id from memberships where user_id = $1', [person.id]);
    expect(rows).toEqual([{ company_id: companyId }]);
  });
});
