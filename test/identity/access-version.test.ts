/** Cached data about callers is keyed by the version of their access. */
import { randomUUID } from 'node:crypto';
import { findMember } from '../../src/identity/members/member.ts';
import { type AccessVersions, accessVersions } from '../../src/identity/tokens/access-version.ts';
import type { VerifiedToken } from '../../src/identity/tokens/verify-token.ts';
import type { Tenant } from '../../src/platform/db/tenant.ts';
import { type AccessListener, listenForAccessChanges, notifyAccessChanged } from '../../src/platform/notify/listen.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { type TestDatabase, testDatabase } from '../helpers/database/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { longLeaseMs } from '../helpers/settings.ts';

let database: TestDatabase;
let access: AccessListener;
let versions: AccessVersions;
let tenant: Tenant;
let caller: VerifiedToken;
let statements = 0;
beforeAll(async () => {
  database = await testDatabase(2, { observer: { statement: () => void statements++, acquired() {} } });
  access = listenForAccessChanges({ url: database.url, leaseMs: longLeaseMs });
  await access.ready;
  versions = accessVersions(access);
  const person = { name: 'Ada Admin', email: 'ada@example.com', password: 'correct horse battery staple' };
  const { company, admin } = await createCompany(database.db, 'First', {
    ...person,
    position: 'Head',
    department: 'Board',
  });
  tenant = database.db.tenant(company.id);
  const grant = {
    grant_id: randomUUID(),
    client_id: 'x',
    scopes: [],
    signedInS: 0,
    auth_time_s: undefined,
    level: '1fa' as const,
    hasPasskey: false,
    isOfProvider: false,
    expiresAtS: Number.MAX_SAFE_INTEGER,
  };
  const known = { ...grant, user_id: admin.user_id, company_ids: [company.id] };
  caller = { ...known, installation_role: undefined, maker_id: null, access_version: versions.of(known) };
});
afterAll(async () => {
  await access.close();
  await database.drop();
});

const current = (): VerifiedToken => ({ ...caller, access_version: versions.of(caller) });
/** The number of statements that finding the member takes. */
async function countStatements(token: VerifiedToken): Promise<number> {
  const before = statements;
  expect(await findMember(token, tenant)).toMatchObject({ role: expect.any(String) });
  return statements - before;
}

describe('a version', () => {
  test('changes for those a change affects, and for nobody else', async () => {
    const ids = { user_id: randomUUID(), grant_id: randomUUID(), client_id: randomUUID() };
    const member = { ...ids, company_ids: [randomUUID()] };
    const { user_id: userId, grant_id: grantId, client_id: clientId } = ids;
    for (const change of [
      { user_id: userId },
      { grant_id: grantId },
      { client_id: clientId },
      { company_id: member.company_ids[0]! },
    ]) {
      const [own, other] = [versions.of(member), versions.of(caller)];
      await notifyAccessChanged(database.db.global, change);
      await eventually(() => expect(versions.of(member)).toBeGreaterThan(own!));
      expect(versions.of(caller)).toBe(other);
    }
  });

  test('changes for everyone when a key changes, or when changes may have been missed', async () => {
    const first = versions.of(caller)!;
    await notifyAccessChanged(database.db.global, { keys: true });
    await eventually(() => expect(versions.of(caller)).toBeGreaterThan(first));
    const second = versions.of(caller)!;
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'collaborator-api-listener'`,
    );
    await eventually(() => expect(versions.of(caller)).toBeGreaterThan(second));
  });

  test('differs between processes', () => {
    expect(accessVersions(access).of(caller)).not.toBe(versions.of(caller));
  });

  test('needs bounded memory: after too many individual changes, it changes for everyone', () => {
    const first = versions.of(caller)!;
    for (let n = 0; n < 10_001; n++) versions.changed({ user_id: randomUUID() });
    expect(versions.of(caller)).toBeGreaterThan(first);
  });
});

describe('a membership', () => {
  test('is read once per version, whatever object carries it', async () => {
    const now = current();
    expect(await countStatements(now)).toBe(3); // the membership, and the custom fields and directories of the company
    expect(await countStatements(now)).toBe(0);
    expect(await countStatements({ ...now })).toBe(0);
  });

  test('is read again after a change, even for a caller that kept the object', async () => {
    const staleCaller = current();
    await countStatements(staleCaller);
    versions.changed({ user_id: caller.user_id });
    staleCaller.access_version = versions.of(staleCaller);
    expect(await countStatements(staleCaller)).toBe(3);
  });

  test('of another company’s app is read once per version, with the company’s app policy', async () => {
    const installationCaller = {
      ...caller,
      user_id: randomUUID(),
      maker_id: randomUUID(),
      installation_role: 'manager' as const,
    };
    const now = { ...installationCaller, access_version: versions.of(installationCaller) };
    expect([await countStatements(now), await countStatements(now), await countStatements({ ...now })]).toEqual([
      3, 0, 0,
    ]);
    versions.changed({ company_id: tenant.company_id });
    expect(await countStatements({ ...installationCaller, access_version: versions.of(installationCaller) })).toBe(3);
  });

  test('isn’t cached without a version', async () => {
    for (let n = 0; n < 2; n++) expect(await countStatements({ ...caller, access_version: undefined })).toBe(3);
  });

  test('isn’t found for a company that the token doesn’t cover', async () => {
    const before = statements;
    expect(await findMember({ ...current(), company_ids: [randomUUID()] }, tenant)).toBeUndefined();
    expect(statements).toBe(before);
  });

  test('shows a changed role under the next version', async () => {
    expect(await findMember(current(), tenant)).toMatchObject({ role: 'admin' });
    await database.query("update collaborators set role = 'employee' where user_id = $1", [caller.user_id]);
    const before = versions.of(caller)!;
    await notifyAccessChanged(database.db.global, { user_id: caller.user_id });
    await eventually(() => expect(versions.of(caller)).toBeGreaterThan(before));
    expect(await findMember(current(), tenant)).toMatchObject({ role: 'employee' });
  });
});
