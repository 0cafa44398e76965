/** The devices of an account, and signing them out. */

import { removeOldDevices } from '../../../../src/identity/devices/devices.ts';
import { removeOldSessions } from '../../../../src/identity/sessions/sessions.ts';
import { backdated } from '../../../helpers/database/backdated.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type Browser, type Page, type Tokens, tokenRequest } from '../../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';
import { type OAuthService, oauthService, otherProcess } from '../../../identity/service.ts';
import { baseUrl, newBrowser, newPerson, typePassword } from '../sign-in/factor-people.ts';
import { openAccount, tokensOf } from './account-people.ts';

const path = '/account/devices';

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

type Person = Awaited<ReturnType<typeof newPerson>>;

/** Signs in to an app. @param browser where */
const tokensIn = ({ email }: Person, browser: Browser) =>
  tokensOf(service, { email, browser }, { scope: 'profile offline_access' });

const refreshed = ({ refresh_token: refreshToken }: Tokens) =>
  tokenRequest(service.address, service.native, { grant_type: 'refresh_token', refresh_token: refreshToken! });

const rowsOn = (page: Page) => page.forms.filter((form) => form.has('id'));

async function signOutOther(person: Person): Promise<Page> {
  const page = await openAccount(person, path);
  const at = page.html
    .split('<li>')
    .slice(1)
    .findIndex((row) => !row.includes('This browser'));
  return person.browser.submit(page, rowsOn(page)[at]!, { action: 'sign-out' });
}

const mailCount = async ({ email }: Person) =>
  (await mailbox.subjects(email)).filter((subject) => subject === 'A new device signed in to your account').length;

test('lists each device once with name, location, and time', async () => {
  const month = () => new Date().toISOString().slice(0, 8);
  const firstMonth = month(); // it may end during the test
  const person = await newPerson(service);
  await tokensIn(person, newBrowser(service));
  await openAccount(person);
  await openAccount(person);
  const page = await openAccount(person, path);
  expect(rowsOn(page)).toHaveLength(2);
  expect(page.html.match(/This browser/g)).toHaveLength(1);
  expect(page.html).toContain('An app was allowed on it');
  expect(page.html).toMatch(/Last seen on \d{4}-\d\d-\d\d \d\d:\d\d UTC, from 127\.0\.0\.1/);
  expect(page.html).toMatch(new RegExp(`Known since (${firstMonth}|${month()})`));
});

test('a signed-out device loses all access within a second on every process, and others keep it', async () => {
  const person = await newPerson(service);
  const other = newBrowser(service);
  const revoked = await tokensIn(person, other);
  const remaining = await tokensIn(person, person.browser);
  const { verify } = await otherProcess(service);
  await expect(verify(revoked.access_token)).resolves.toBeTruthy();
  const after = await signOutOther(person);
  expect(rowsOn(after)).toHaveLength(1);
  await eventually(() => expect(verify(revoked.access_token)).rejects.toMatchObject({ status: 401 }));
  await eventually(() => expect(service.verify(revoked.access_token)).rejects.toMatchObject({ status: 401 }));
  expect((await refreshed(revoked)).status).toBe(400);
  expect((await other.open(`${baseUrl}/account`)).html).toContain('to continue to');
  await expect(service.verify(remaining.access_token)).resolves.toBeTruthy();
  expect((await refreshed(remaining)).status).toBe(200);
  await mailbox.done();
  const [entry] = await service.database.query<{ details: unknown }>(
    "select details from audit_log where target_id = $1 and action = 'device.signed_out'",
    [person.id],
  );
  expect(entry!.details).toEqual({ grants: 1, sessions: 1 });
});

test('a device signed out during its sign-in gets no session', async () => {
  const person = await newPerson(service);
  const other = newBrowser(service);
  const consent = await typePassword(service, other, person.email);
  await signOutOther(person);
  const late = await other.submit(consent, consent.forms.at(-1)!, { action: 'allow' });
  expect(late.location).toBeUndefined();
  expect(late.status).toBeGreaterThanOrEqual(400);
});

test('a browser without its device cookie is listed and signed out like any other', async () => {
  const person = await newPerson(service);
  const other = newBrowser(service);
  const setCookie = other.cookies.set.bind(other.cookies);
  other.cookies.set = (name, cookie) => (name.startsWith('__Host-device_') ? other.cookies : setCookie(name, cookie));
  await tokensIn(person, other);
  expect([...other.cookies.keys()].filter((name) => name.startsWith('__Host-device_'))).toEqual([]);
  await signOutOther(person);
  expect((await other.open(`${baseUrl}/account`)).html).toContain('to continue to');
});

test('a signed-out device is reported as new at its next sign-in, at most five times per day', async () => {
  const person = await newPerson(service);
  const other = newBrowser(service);
  await tokensIn(person, other);
  await tokensIn(person, person.browser);
  expect(await mailCount(person)).toBe(1);
  await tokensIn(person, other);
  expect(await mailCount(person)).toBe(1);
  await signOutOther(person);
  await tokensIn(person, other);
  expect(await mailCount(person)).toBe(2);
  for (let n = 0; n < 4; n++) await openAccount({ ...person, browser: newBrowser(service) });
  expect(await mailCount(person)).toBe(5);
});

test('devices of other people and unknown ones can’t be signed out', async () => {
  const [person, thief] = [await newPerson(service), await newPerson(service)];
  const page = await openAccount(thief, path);
  const [ownRow] = rowsOn(await openAccount(person, path));
  const [form] = rowsOn(page);
  for (const id of [ownRow!.hidden.id!, 'x', '']) {
    const response = await thief.browser.submit(
      page,
      { ...form!, hidden: { ...form!.hidden, id } },
      { action: 'sign-out' },
    );
    expect([response.status, rowsOn(response).length]).toEqual([200, 1]);
  }
  expect((await person.browser.open(baseUrl + path)).html).toContain('Your devices');
});

test('the current device can be signed out, which ends its session', async () => {
  const person = await newPerson(service);
  const page = await openAccount(person, path);
  const done = await person.browser.submit(page, rowsOn(page)[0]!, { action: 'sign-out' });
  expect(done.html).toContain('This browser is signed out');
  expect(person.browser.cookies.has('__Host-session')).toBe(false);
});

test('devices expire after half a year, and sessions after a day', async () => {
  const person = await newPerson(service);
  await openAccount(person);
  const { db, query } = service.database;
  const before = await query('select id from user_devices where user_id = $1', [person.id]);
  expect(before).toHaveLength(1);
  await query(`update user_devices set ${backdated('last_seen_at', "interval '181 days'")} where user_id = $1`, [
    person.id,
  ]);
  await query(`update user_sessions set ${backdated('created_at', "interval '25 hours'")} where user_id = $1`, [
    person.id,
  ]);
  expect(await removeOldDevices(db)).toBeGreaterThan(0);
  expect(await removeOldSessions(db)).toBeGreaterThan(0);
  expect(await query('select id from user_devices where user_id = $1', [person.id])).toEqual([]);
  expect(await query('select device_id from user_sessions where user_id = $1', [person.id])).toEqual([]);
});
