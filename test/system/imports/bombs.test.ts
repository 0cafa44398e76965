/** Small files that expand hugely: rejected, and the worker keeps running. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { columnLetter } from '../../../src/platform/sheets/model/letters.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import {
  csv,
  people,
  range,
  requiredHeaders,
  sendImport,
  startImport,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { testWorker } from '../../helpers/worker.ts';
import { readAll, workbook } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
let worker: ReturnType<typeof startProcess>;
let metrics: string;
beforeAll(async () => {
  app = await testApp();
  const { folder } = app.config.storage as { folder: string };
  const where = { DATABASE_URL: app.database.url, STORAGE_URL: `file:${folder}`, BASE_URL: app.base_url };
  worker = startProcess({ ...where, METRICS_PORT: '0' }, ['worker']);
  metrics = await eventually(() => {
    const line = worker.lines().find((each) => each.metrics);
    if (!line) throw new Error(`no figures: ${worker.stderr()}`);
    return line.metrics;
  });
});
afterAll(async () => {
  killProcesses();
  await app.close();
});

function peakMb(): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'latin1'))![1]) / 1_024;
}

/** CPU time of the thread that responds, which a busy machine doesn't lengthen as it does the time on the clock. */
function mainThreadMs(): number {
  const { pid } = worker.child;
  const [user, system] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ').slice(11);
  return (Number(user) + Number(system)) * 10; // Linux counts hundredths of a second
}

/** @returns the result of an import, and the most the worker computed before it responded */
async function importWhileProbing(file: Buffer, filename: string) {
  let isOver = false;
  const probing = (async () => {
    let maxMs = 0;
    while (!isOver) {
      const beforeMs = mainThreadMs();
      await (await fetch(metrics)).text();
      maxMs = Math.max(maxMs, mainThreadMs() - beforeMs);
      await sleep(50); // else the requests take most of the processor
    }
    return maxMs;
  })();
  const job = await waitForImport(app.admin, await startImport(app.admin, { file, filename, dry_run: true }));
  isOver = true;
  return { job, longest_ms: await probing };
}

/** A shared string used in this many cells. */
function bomb(rows: number, columns: number, text: string): Promise<Buffer> {
  const named = (row: number) =>
    range(columns).map((at) => `<c r="${columnLetter(at)}${row}" t="s"><v>${row === 1 ? at + 1 : 0}</v></c>`);
  const data = range(rows, 1).map((row) => `<row r="${row}">${named(row).join('')}</row>`);
  const headers = range(columns).map((at) => requiredHeaders[at] ?? `more ${at}`);
  const texts = [text, ...headers].map((each) => `<si><t>${each}</t></si>`);
  return workbook(data.join(''), { 'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>` });
}

test('a long text in all cells takes little memory and delays nobody', async () => {
  await sendImport(app.admin, { file: people(range(10)), dry_run: true }).expect(202);
  const control = await importWhileProbing(people(range(2_000)), 'people.csv');
  expect(control.job).toMatchObject({ status: 'completed', counts: { created: 2_000 } });
  const beforeMb = peakMb();
  const file = await bomb(12_000, 13, 'x'.repeat(32_000));
  expect(file.length).toBeLessThan(1_000_000);
  const { job, longest_ms: maxMs } = await importWhileProbing(file, 'people.xlsx');
  const message = 'The sheet has more than 67108864 characters of text.';
  expect(job).toMatchObject({ status: 'failed', failure: { reason: 'unreadable', message } });
  expect(maxMs).toBeLessThan(3 * control.longest_ms + 300);
  expect(peakMb() - beforeMb).toBeLessThan(500);
  expect(worker.child.exitCode).toBeNull();
});

test('a canceled import with a cell of maximum size gets its report', async () => {
  await worker.kill();
  const longest = 'x'.repeat(32_767);
  const file = csv([requiredHeaders, [longest, 'no address', 'Planner', 'Operations']]);
  const id = await startImport(app.admin, { file: await asWorkbook(file), filename: 'people.xlsx' });
  await app.admin.post(`/v1/imports/${id}/cancel`).expect(200);
  // As after its rows were checked.
  await app.database.query(
    `insert into import_errors (company_id, import_id, row_number, number, field, code, message)
     values ($1, $2, 2, 0, 'email', 'invalid_format', 'Must be an address.')`,
    [app.company_id, id],
  );
  await app.database.query('update imports set error_count = 1 where id = $1', [id]);
  const other = await testWorker(app);
  try {
    const link = await eventually(async () => {
      const { body } = await app.admin.get(`/v1/imports/${id}`).expect(200);
      expect(body.error_report_url).not.toBeNull();
      return body.error_report_url;
    });
    const reader = new SheetReader(1);
    const { rows } = await readAll(reader, Buffer.from(await (await fetch(link)).arrayBuffer()));
    await reader.close();
    expect(rows[1]!.cells[0]).toBe(longest);
  } finally {
    await other.stop();
  }
});

/** The same table as a workbook with inline strings. */
function asWorkbook(table: Buffer): Promise<Buffer> {
  const rows = table.toString().trim().split('\n');
  const cells = (row: string) =>
    row.split(',').map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join(''); // biome-ignore format: short
  return workbook(rows.map((row) => `<row>${cells(row)}</row>`).join(''));
}
