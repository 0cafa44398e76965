/** `make proof NAME=fuzz-tenants` with few requests against a service in this process, plus checks that need its internals. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { comparable, probes, readSnapshot, sendProbe } from '../../../scripts/proof/fuzz/oracle.ts';
import { hangUp } from '../../../scripts/proof/fuzz/send.ts';
import { fingerprint, runPrograms, type Side, strangersInAudit } from '../../../scripts/proof/fuzz/tenants.ts';
import { createWorld } from '../../../scripts/proof/fuzz/world.ts';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { grantToken } from '../../helpers/identity/tokens.ts';
import { testWorker } from '../../helpers/worker.ts';

const seed = Number(process.env.SEED ?? 1);
const steps = Number(process.env.STEPS ?? 80);
const password = 'correct horse battery staple';

let app: TestApp;
let sides: [Side, Side];
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const worker = await testWorker(app);
  try {
    sides = await createSides();
  } finally {
    await worker.stop(); // nothing changes on its own from now on
  }
});
afterAll(async () => {
  hangUp();
  await app.close();
});

/** The two companies of the test app, with a user who belongs to both. */
async function createSides(): Promise<[Side, Side]> {
  const { base_url: baseUrl, config, database, admin, manager, employee, outsider } = app;
  const { db } = database;
  const label = ['zqalpha', 'zqbravo'] as const;
  const companyIds = [admin.company_id, outsider.company_id] as const;
  const person = (name: string, at: 0 | 1) => {
    const email = `${name}@example.com`;
    return { name: `${label[at]} ${name}`, email, position: label[at], department: label[at], password };
  };
  const strangers = { admin: outsider, manager: outsider, employee: outsider };
  for (const role of ['manager', 'employee'] as const) {
    const { user_id: userId } = await createPerson(db, companyIds[1], { ...person(`other-${role}`, 1), role });
    const token = await grantToken(db, config, baseUrl, { user_id: userId, company_ids: [companyIds[1]] });
    strangers[role] = { ...outsider, token };
  }
  await createPerson(db, companyIds[0], { ...person('both', 0), name: 'Both', role: 'admin' });
  const { user_id: userId } = await createPerson(db, companyIds[1], { ...person('both', 1), name: 'Both' });
  const token = await grantToken(db, config, baseUrl, { user_id: userId, company_ids: [...companyIds] });
  const connected = [
    await createPerson(db, companyIds[0], person('app-0', 0)),
    await createPerson(db, companyIds[1], person('app-1', 1)),
  ] as const;
  const connectIn = (at: 0 | 1) => async () => {
    const grantId = randomUUID();
    await grantToken(db, config, baseUrl, {
      user_id: connected[at].user_id,
      company_ids: [companyIds[at]],
      grant_id: grantId,
    });
    return grantId;
  };
  const target = (at: 0 | 1) => ({
    base_url: baseUrl,
    callers: at === 0 ? { admin, manager, employee } : strangers,
    connect: connectIn(at),
  });
  const side = async (at: 0 | 1): Promise<Side> => ({
    label: label[at],
    world: await createWorld(target(at), label[at]),
    both: { token, company_id: companyIds[at] },
  });
  return [await side(0), await side(1)];
}

const query = (sql: string, values: unknown[]) => app.database.query<Record<string, unknown>>(sql, values);

test(`nothing of one company is shown to or changed by the other (SEED=${seed})`, async () => {
  const { violations, across, carriedOut, filesRead } = await runPrograms({ sides, query, seed, steps });
  expect(violations).toEqual([]);
  expect(across).toBeGreaterThan(steps / 10);
  expect(carriedOut.size).toBeGreaterThan(20);
  expect(filesRead).toBeGreaterThan(0);
  await app.audit.flush();
  expect(await strangersInAudit(query)).toBe(0);
});

test('a company’s own data stays the same, whatever the other does', async () => {
  const [first, second] = sides;
  const before = await readSnapshot(first);
  await runPrograms({ sides, query, seed: seed + 1, steps: 30, only: second });
  expect(await readSnapshot(first)).toEqual(before);
  expect(before.size).toBeGreaterThan(30);
});

test('a request for one company doesn’t count for the other, for the same client and user', async () => {
  const [{ both }, other] = sides;
  const remaining = async ({ token, company_id: companyId }: Side['both']) => {
    const request = app.anon.get('/v1/permissions').set('Authorization', `Bearer ${token}`);
    const { headers } = await request.set('X-Company-Id', companyId).expect(200);
    const [, r, t] = /r=(\d+);t=(\d+)/.exec(headers.ratelimit!)!.map(Number);
    return { r: r!, t: t! };
  };
  const before = await remaining(both);
  for (let n = 0; n < 5; n++) await remaining(other.both);
  const after = await remaining(both);
  // A new minute resets the count.
  if (after.t <= before.t) expect(after.r).toBe(before.r - 1);
  expect(after.r).toBeGreaterThanOrEqual(before.r - 1);
});

test('the comparison detects a change of one letter', async () => {
  const [, other] = sides;
  const before = await fingerprint(query, other);
  await query("update collaborators set position = position || 'x' where company_id = $1", [other.both.company_id]);
  const after = await fingerprint(query, other);
  expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual(['collaborators']);
});

test('another company’s records and unknown ones get the same response, byte for byte, with the same statements', async () => {
  const [own, other] = sides;
  await other.world.refresh('collaborators');
  await app.audit.flush(); // batched entries must not be written between the two
  for (const { operationId, method, foreign, unknown } of probes(other)) {
    const probed = await statements(() => sendProbe(own, method, foreign));
    const missed = await statements(() => sendProbe(own, method, unknown));
    expect([operationId, comparable(probed.result)]).toEqual([operationId, comparable(missed.result)]);
    expect([operationId, probed.texts]).toEqual([operationId, missed.texts]);
    expect([operationId, probed.result.status]).toEqual([operationId, 404]);
  }
});

/** The statements that this process sends during a request. */
async function statements<T>(work: () => Promise<T>): Promise<{ result: T; texts: string[] }> {
  const texts: string[] = [];
  const { query: original } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    if (!/pg_notify|rate_limit|connection_uses|^select 1$/.test(text)) texts.push(text); // sent independently of requests
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as never;
  try {
    return { result: await work(), texts };
  } finally {
    pg.Client.prototype.query = original;
  }
}
