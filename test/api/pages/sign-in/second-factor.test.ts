/** The second factor page: setup, changes, and access. */
import { resetFactors } from '../../../../src/product/companies/reset-factors.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';
import { type OAuthService, oauthService } from '../../../identity/service.ts';
import {
  account,
  baseUrl,
  codeOf,
  codesOn,
  formWith,
  isConsent,
  keyOn,
  newBrowser,
  newPerson,
  opened,
  password,
  typePassword,
  url,
  withApp,
} from './factor-people.ts';

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

/** Audit log entries of a person, after the worker is done. */
async function entries(userId: string): Promise<[string, unknown][]> {
  await mailbox.done();
  const rows = await service.database.query<{ action: string; details: unknown }>(
    'select action, details from audit_log where target_id = $1 order by id',
    [userId],
  );
  return rows.map(({ action, details }) => [action, details]);
}

describe('setup', () => {
  test('adds an app by QR code or key, confirmed with a code, and shows ten recovery codes once', async () => {
    const { id, browser, setUp, codesPage, codes } = await withApp(service);
    expect(setUp.html).toContain('<path class="qr-modules" d="M4 4h1v1h-1z');
    expect(setUp.html).toContain('href="otpauth://totp/');
    expect(codes).toHaveLength(10);
    expect(codesPage.html).toContain('They’re shown only now');
    const list = await browser.open(baseUrl + account);
    expect(list.html).toContain('Phone');
    expect(list.html).toContain('10 recovery codes are left.');
    expect(codesOn(list)).toEqual([]);
    expect(await entries(id)).toEqual([['second_factor.added', { kind: 'totp' }]]);
  });

  test('fails with a wrong code, and keeps the same key', async () => {
    const person = await newPerson(service);
    const list = await opened(service, person);
    const setUp = await person.browser.submit(list, list.forms.at(-2)!, { action: 'set-up' });
    const wrong = { code: codeOf(keyOn(setUp), 20), action: 'confirm-app' };
    const retry = await person.browser.submit(setUp, formWith(setUp, 'code'), wrong);
    expect(retry.status).toBe(400);
    expect(retry.html).toContain('That code doesn’t match.');
    expect(keyOn(retry)).toBe(keyOn(setUp));
    expect(isConsent(await typePassword(service, newBrowser(service), person.email))).toBe(true);
  });

  test('requires the password again, and an existing factor, before showing or changing anything', async () => {
    const { browser, email, key } = await withApp(service);
    const thief = newBrowser(service);
    expect((await thief.open(baseUrl + account)).html).toContain('to continue to <strong>your account</strong>');
    thief.cookies.set('__Host-session', browser.cookies.get('__Host-session')!);
    thief.cookies.set('__Host-session.sig', browser.cookies.get('__Host-session.sig')!);
    const gate = await thief.open(baseUrl + account);
    expect(gate.html).not.toContain('Phone');
    for (const action of ['set-up', 'remove', 'rename', 'renew-codes', 'add-passkey', 'confirm-app']) {
      const refused = await thief.submit(gate, gate.forms[0]!, { action, password });
      expect([refused.status, refused.html.includes('Phone')]).toEqual([403, false]);
    }
    const code = codeOf(key);
    const byCode = await thief.submit(gate, gate.forms[0]!, { action: 'prove-code', code });
    expect([byCode.status, byCode.html.includes('Phone')]).toEqual([401, false]);
    const byPassword = await thief.submit(gate, gate.forms[0]!, { action: 'prove', password });
    expect(byPassword.html).not.toContain('Phone');
    const byBoth = await thief.submit(byPassword, formWith(byPassword, 'code'), { action: 'prove-code', code });
    expect(byBoth.html).toContain('Phone');
    expect(email).toBeTruthy();
  });

  test('rejects forms of other sites, and can’t be framed', async () => {
    const person = await newPerson(service);
    const list = await opened(service, person);
    expect(list.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(list.headers.get('content-security-policy')).toContain("script-src 'self';");
    const form = list.forms.at(-2)!;
    const foreign = await person.browser.submit(list, form, { action: 'set-up' }, { origin: 'https://evil.example' });
    const without = await person.browser.submit(list, { ...form, hidden: {} }, { action: 'set-up' });
    expect([foreign.status, without.status]).toEqual([403, 403]);
  });

  test('factors can be renamed, recovery codes replaced, and without a factor the password suffices', async () => {
    const { id, browser, email, codes, key } = await withApp(service);
    const list = await browser.open(baseUrl + account);
    const row = formWith(list, 'id');
    const renamed = await browser.submit(list, row, { action: 'rename', name: 'Old <phone>' });
    expect(renamed.html).toContain('Old &lt;phone&gt;');
    const fresh = codesOn(await browser.submit(renamed, renamed.forms.at(-3)!, { action: 'renew-codes' }));
    expect(fresh).toHaveLength(10);
    const other = newBrowser(service);
    const step = await typePassword(service, other, email);
    const old = await other.submit(step, formWith(step, 'code'), { code: codes[0]!, action: 'prove-code' });
    expect(old.status).toBe(401);
    const removed = await browser.submit(list, row, { action: 'remove' });
    expect(removed.html).not.toContain('Old &lt;phone&gt;');
    const late = await other.submit(old, formWith(old, 'code'), { code: codeOf(key), action: 'prove-code' });
    expect(late.status).toBe(401);
    expect(isConsent(await typePassword(service, newBrowser(service), email))).toBe(true);
    expect(await mailbox.subjects(email)).toEqual([
      'A second factor was added to your account',
      'You have new recovery codes',
      'A second factor was removed from your account',
    ]);
    const actions = (await entries(id)).map(([action]) => action);
    expect(actions).toEqual(['second_factor.added', 'recovery_codes.renewed', 'second_factor.removed']);
  });
});

describe('a manipulated form', () => {
  test('can’t use the sealed value of a passkey as the key of an app', async () => {
    const person = await newPerson(service);
    const list = await opened(service, person);
    const { ticket } = formWith(list, 'credential').hidden;
    const form = formWith(await person.browser.submit(list, list.forms.at(-2)!, { action: 'set-up' }), 'code');
    const other = { ...form, hidden: { ...form.hidden, secret: ticket! } };
    const refused = await person.browser.submit(list, other, { code: '123456', action: 'confirm-app' });
    expect([refused.status, refused.html.includes('That took too long')]).toEqual([400, true]);
  });

  test('with an unknown id changes nothing', async () => {
    const { browser } = await withApp(service);
    const list = await browser.open(baseUrl + account);
    const form = formWith(list, 'id');
    for (const action of ['rename', 'remove']) {
      const page = await browser.submit(
        list,
        { ...form, hidden: { ...form.hidden, id: 'x' } },
        { name: 'Other', action },
      );
      expect([action, page.status, page.html.includes('Phone')]).toEqual([action, 200, true]);
    }
  });
});

test('using a recovery code is reported by email and audit log, since a thief of session and password could use it', async () => {
  const { id, browser, email, codes } = await withApp(service);
  const thief = newBrowser(service);
  for (const name of ['__Host-session', '__Host-session.sig']) thief.cookies.set(name, browser.cookies.get(name)!);
  const gate = await thief.open(baseUrl + account);
  const step = await thief.submit(gate, formWith(gate, 'password'), { action: 'prove', password });
  const inside = await thief.submit(step, formWith(step, 'code'), { action: 'prove-code', code: codes[0]! });
  expect(inside.html).toContain('Phone');
  const subjects = await mailbox.subjects(email);
  expect(subjects).toContain('Somebody signed in with a recovery code');
  expect((await entries(id)).at(-1)).toEqual(['recovery_code.used', { codes_left: 9 }]);
});

test('the passkey script is a separate file, included only where browsers support passkeys', async () => {
  const page = await newBrowser(service).open(url(service));
  const [, address] = /<script src="([^"]+)"/.exec(page.html)!;
  const script = await fetch(service.address + address!);
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(await script.text()).toContain('SimpleWebAuthnBrowser');
  expect(page.html.match(/<script/g)).toHaveLength(1);
});

test('when the operator removes factors, the follow-up jobs are queued in the same transaction', async () => {
  const { id, email } = await withApp(service);
  await entries(id);
  const { db, query } = service.database;
  const subjectsBefore = await mailbox.subjects(email);
  await query(`create function refuse() returns trigger language plpgsql security definer as $$ begin
    if (select identifier from graphile_worker._private_tasks where id = new.task_id) = 'notifyFactorsReset'
    then raise exception 'no such jobs now'; end if; return new; end $$`);
  await query(
    'create trigger refuse before insert on graphile_worker._private_jobs for each row execute function refuse()',
  );
  const failed = resetFactors(db, service.mail, service.config.encryption_keys, { id, email, name: 'Person' });
  await expect(failed).rejects.toThrow('no such jobs now');
  await query('drop trigger refuse on graphile_worker._private_jobs');
  expect(await query('select 1 from totp_factors where user_id = $1', [id])).toHaveLength(1);
  expect(await mailbox.subjects(email)).toEqual(subjectsBefore);
  const renamed = (from: string, to: string) => service.database.query(`alter table ${from} rename to ${to}`);
  await renamed('audit_log', 'audit_log_away');
  try {
    const user = { id, email, name: 'Person' };
    const reset = resetFactors(db, service.mail, service.config.encryption_keys, user);
    await expect(reset).resolves.toMatchObject({ factors: 1 });
  } finally {
    await renamed('audit_log_away', 'audit_log');
  }
  const actions = (await entries(id)).map(([action]) => action);
  expect(actions).toEqual(['second_factor.added', 'second_factor.removed']);
  expect((await mailbox.subjects('mariana@example.com')).at(-1)).toMatch(/^The second factors of Person \d+ were/);
});

test('the operator can remove all factors: sessions end, and the person and their admins are notified', async () => {
  const { id, email, browser } = await withApp(service);
  const { db } = service.database;
  const user = { id, email, name: 'Person' };
  const reset = await resetFactors(db, service.mail, service.config.encryption_keys, user);
  expect(reset).toMatchObject({ factors: 1, sessions: 1 });
  expect((await browser.open(baseUrl + account)).html).toContain('to continue to');
  expect(isConsent(await typePassword(service, newBrowser(service), email))).toBe(true);
  expect(await resetFactors(db, service.mail, service.config.encryption_keys, user)).toBeUndefined();
  expect(await mailbox.subjects(email)).toEqual([
    'A second factor was added to your account',
    'Your second factors were removed',
  ]);
  expect((await mailbox.subjects('mariana@example.com')).at(-1)).toMatch(
    /^The second factors of Person \d+ were removed$/,
  );
  const [entry] = await service.database.query<{ actor_type: string }>(
    "select actor_type from audit_log where target_id = $1 and action = 'second_factor.removed'",
    [id],
  );
  expect(entry!.actor_type).toBe('operator');
});
