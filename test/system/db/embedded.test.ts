import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../../src/platform/embedded/embedded.ts';

/** Empty for the first test alone, because creating a database takes seconds. */
let folder: string;
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'embedded postgres ')), 'with space');
});
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }));

test('two processes that start at the same time share one server, and the last one to leave stops it', async () => {
  const [a, b] = [otherProcess(folder), otherProcess(folder)];
  const url = await a.url;
  expect(await b.url).toBe(url);
  for (const { child, ended } of [a, b]) {
    expect(await runQuery(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    child.stdin.end(); // it disconnects and exits
    await ended;
  }
  await expect(runQuery(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('starts, keeps its data, listens only on loopback with a random password, stops, and survives kills', async () => {
  const first = await startEmbedded(folder);
  await runQuery(first.url, 'create table kept (x int)');
  const [{ listen_addresses: listenAddresses }] = await runQuery(first.url, 'show listen_addresses');
  expect(listenAddresses).toBe('127.0.0.1');
  const wrong = new URL(first.url);
  wrong.password = 'wrong';
  await expect(runQuery(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect((await stat(join(folder, 'connection.json'))).mode & 0o077).toBe(0);
  await first.stop();
  await expect(runQuery(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);

  const second = await startEmbedded(folder);
  expect(await runQuery(second.url, 'select count(*) from kept')).toEqual([{ count: '0' }]);
  await second.stop();

  // A killed process leaves its server to the next one, and a killed server restarts on the same data.
  const victim = otherProcess(folder);
  const url = await victim.url;
  await runQuery(url, 'create table survived (x int)');
  victim.child.kill('SIGKILL');
  await victim.ended;

  const adopted = await startEmbedded(folder);
  expect(adopted.url).toBe(url);
  process.kill(adopted.pid, 'SIGKILL');
  await adopted.stop();

  const restarted = await startEmbedded(folder);
  expect(await runQuery(restarted.url, 'select count(*) from survived')).toEqual([{ count: '0' }]);
  await restarted.stop();
  await expect(readFile(join(folder, 'data', 'postmaster.pid'))).rejects.toThrow(/ENOENT/);
});

async function runQuery(url: string, sql: string) {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Uses the server from another process until its stdin ends. */
function otherProcess(folder: string) {
  const moduleUrl = new URL('../../../src/platform/embedded/embedded.ts', import.meta.url).href;
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(moduleUrl)});
    const postgres = await startEmbedded(${JSON.stringify(folder)});
    console.log(postgres.url);
    for await (const _ of process.stdin);
    await postgres.stop();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { child, url, ended };
}
