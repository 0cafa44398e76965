/** Batched entries are kept and retried while the database is unavailable. */
import pg from 'pg';
import { type AuditRecorder, createAuditRecorder } from '../../../src/platform/audit/recorder.ts';
import { type Database, openDatabase } from '../../../src/platform/db/client.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

let service: OAuthService;
let db: Database;
let recorder: AuditRecorder;
beforeAll(async () => {
  service = await oauthService();
  const { url } = service.database;
  const limits = { statementTimeoutMs: 60_000, lockTimeoutMs: 100 };
  db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 30_000, ...limits });
  recorder = createAuditRecorder({ db, log: createLogger('silent') });
});
afterAll(async () => {
  await recorder.close();
  await db.close();
  await service.close();
});
beforeEach(() => service.database.query('delete from audit_log'));

async function whileLocked(work: () => Promise<void>): Promise<void> {
  const lock = new pg.Client(service.database.url);
  await lock.connect();
  await lock.query('begin; lock table audit_log in exclusive mode');
  try {
    await work();
  } finally {
    await lock.end();
  }
}

test('writes entries of several companies once each', async () => {
  const entry = { action: 'file.fetched', actor: { type: 'user', user_id: service.ana.user_id } } as const;
  await whileLocked(async () => {
    for (const companyId of service.company_ids) recorder.add(companyId, entry);
    await recorder.flush();
  });
  await recorder.flush();
  const rows = await service.database.query<{ company_id: string; details: unknown }>(
    'select company_id, details from audit_log order by company_id',
  );
  expect(rows).toEqual(service.company_ids.toSorted().map((companyId) => ({ company_id: companyId, details: null })));
});

test('counts repetitions of waiting entries per company', async () => {
  const [first, second] = service.company_ids;
  const entry = { action: 'salary.read', actor: { type: 'operator' } } as const;
  await whileLocked(async () => {
    for (const companyId of [first, first, second]) recorder.add(companyId, entry, 'the same');
    await recorder.flush();
  });
  await recorder.flush();
  const rows = await service.database.query<{ company_id: string; details: unknown }>(
    'select company_id, details from audit_log order by company_id = $1 desc',
    [first],
  );
  expect(rows).toEqual([
    { company_id: first, details: { times: 2 } },
    { company_id: second, details: null },
  ]);
});
