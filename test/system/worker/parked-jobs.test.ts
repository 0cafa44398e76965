/** A job that crashes its process is parked after two of them, and other jobs continue. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const source = (file: string) => JSON.stringify(new URL(`../../../src/${file}`, import.meta.url).href);

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), temporaryFolder()]);
});
afterAll(async () => {
  await folder.remove();
  await database.drop();
});

/** A process with a real worker and two extra tasks: one crashes it, the other writes a note. */
async function worker(): Promise<ChildProcess> {
  const program = `
    import pg from 'pg';
    import { createLogger } from ${source('platform/observe/log.ts')};
    import { superviseRunner } from ${source('worker/runner.ts')};
    import { startUpkeep } from ${source('worker/recovery.ts')};
    const url = ${JSON.stringify(database.url)};
    const log = createLogger('silent');
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const tasks = {
      poison: () => {
        process.kill(process.pid, 'SIGKILL');
        return new Promise(() => {});
      },
      note: (payload) => pool.query('insert into noted values ($1)', [payload.n]),
    };
    const runner = await superviseRunner({ url, concurrency: 1, poll_ms: 50, tasks, crontab: '', log });
    startUpkeep({ pool, every_ms: 50, job_lease_s: 1, workers: runner.workers, log });
    process.on('SIGTERM', () => process.exit(0));
    process.send('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const first = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  expect(first[0] === 'ready' || first[1] === 'SIGKILL').toBe(true);
  return child;
}

async function end(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode;
}

const cli = (...args: string[]) => runCli(['job', ...args], settings(folder.path, database.url));
const noted = async () => (await database.query<{ n: number }>('select n from noted order by n')).map(({ n }) => n);

test('is parked after two crashes with its reason, and can be restarted manually', async () => {
  await database.query('create table noted (n integer)');
  const [job] = await database.query<{ id: string }>(`select id from graphile_worker.add_job('poison', '{}'::json)`);
  for (let n = 1; n <= 3; n++) await database.query(`select graphile_worker.add_job('note', '{"n": ${n}}'::json)`);

  expect(await end(await worker())).toBe('SIGKILL');
  expect(await end(await worker())).toBe('SIGKILL');
  const third = await worker();
  await eventually(async () => expect(await noted()).toEqual([1, 2, 3]));
  await eventually(async () => {
    expect(await database.query('select attempts = max_attempts as parked from graphile_worker.jobs')).toEqual([
      { parked: true },
    ]);
  });
  expect(third.signalCode).toBeNull();

  const listed = await cli('list', '--json');
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  const reason = 'parked: its process ended 2 times while running it';
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ task: 'poison', last_error: reason }]);
  expect(await cli('restart', '999999')).toMatchObject({ code: 1, stdout: '' });

  expect(await cli('restart', String(job!.id))).toMatchObject({ code: 0, stderr: '' });
  expect(await end(third)).toBe('SIGKILL');
});
