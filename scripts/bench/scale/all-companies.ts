// Measures what covers all companies and so grows with their number: recurring tasks and maintenance queries.
import pg from 'pg';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { removeOldUses } from '../../../src/product/connections/connection-usage.ts';
import { companiesWithEvents } from '../../../src/product/delivery/dispatch.ts';
import { overdueWebhooks } from '../../../src/product/delivery/overdue-deliveries.ts';
import { overdueExports } from '../../../src/product/exports/overdue-exports.ts';
import { overdueImports } from '../../../src/product/imports/state/overdue-imports.ts';
import { removeDeletedDocuments } from '../../../src/worker/tasks/cleanup/deleted-documents.ts';
import { removeOldIdempotencyKeys } from '../../../src/worker/tasks/cleanup/idempotency-keys.ts';
import { removeOldAudit } from '../../../src/worker/tasks/cleanup/removeOldAudit.ts';
import { removeOldEvents } from '../../../src/worker/tasks/cleanup/removeOldEvents.ts';
import { inEachCompany } from '../../../src/worker/tasks/each-company.ts';
import { endEmployments } from '../../../src/worker/tasks/endEmployments.ts';
import { expireInvitations } from '../../../src/worker/tasks/expireInvitations.ts';
import { markdownTable } from '../harness/figures.ts';
import { whole } from './disk.ts';

export async function allCompaniesReport(url: string): Promise<string> {
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 600_000 });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const log = createLogger('silent');
  const mail = undefined as never; // no invitation has expired
  const helpers = {} as never;
  const tasks: [name: string, interval: string, work: () => Promise<unknown>][] = [
    ['endEmployments', 'every 5 minutes', async () => endEmployments(db, { pool }, log)({}, helpers)],
    ['expireInvitations', 'every 5 minutes', async () => expireInvitations(db, { pool }, mail, log)({}, helpers)],
    ['removeExpired: responses kept for retries', 'every hour', () => removeOldIdempotencyKeys(db)],
    ['removeExpired: deleted documents', 'every hour', () => removeDeletedDocuments(db)],
    ['removeExpired: uses of connections', 'every hour', () => inEachCompany(db, removeOldUses)],
    ['removeOldEvents, nothing old', 'every hour', async () => removeOldEvents(db, log)({}, helpers)],
    ['removeOldAudit', 'every day', async () => removeOldAudit(db, 365, log)({}, helpers)],
    ['companies with events', 'every second', () => companiesWithEvents({ pool }, 100)],
    ['overdue deliveries', 'every 2 s', () => overdueWebhooks({ pool }, 2_000)],
    ['overdue exports', 'every 2 s', () => overdueExports({ pool }, 2_000)],
    ['overdue imports', 'every 2 s', () => overdueImports({ pool }, 2_000)],
  ];
  const client = await pool.connect();
  const { rows } = await client.query<{ count: string }>('select count(*) from companies');
  client.release();
  const lines: string[][] = [];
  for (const [name, interval, work] of tasks) {
    const ms = [await timed(work), await timed(work)];
    lines.push([
      name,
      interval,
      ms[0]!.toFixed(1),
      ms[1]!.toFixed(1),
      ((ms[1]! / Number(rows[0]!.count)) * 1000).toFixed(0),
    ]);
  }
  await pool.end();
  await db.close();
  return markdownTable(
    [`${whole(Number(rows[0]!.count))} companies`, '', 'first, ms', 'again, ms', 'µs a company'],
    lines,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
