// Runs the file storage tests and a short chaos test against third-party object stores: `make proof NAME=stores STORES="versitygw
// moto"`. Downloads are kept in .data/tools, or TOOLS_CACHE. Exits with 0 only if everything passes with each.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { interruptible } from '../../../packages/cli/src/terminal/interrupt.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { freePort } from '../../../test/helpers/network/free-port.ts';
import { cache, project, run } from '../sdk-check/client.ts';
import { install } from '../sdk-check/install.ts';
import { runTests } from './run-tests.ts';
import { makeFolders, owner, type Store, stores } from './stores.ts';

const bucket = 'collaborator-files';
const startTimeoutMs = 120_000;
const chaosSettings = { SECONDS: '30', CLIENTS: '15', COMPANIES: '2', SEED: '1' };

const names = process.argv.slice(2);
const unknown = names.filter((name) => stores.every((store) => store.name !== name));
if (unknown.length > 0) {
  console.error(`Unknown store ${unknown.join(', ')}; available: ${stores.map(({ name }) => name).join(', ')}.`);
  exit(2);
}
const rows: string[] = [];
for (const store of stores.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const row = await check(store).catch((error: Error) => {
    if (error instanceof CliError) exit(error.exitCode); // interrupted
    process.exitCode = 1;
    return `| ${store.label} | ${error.message.split('\n')[0]} | |`;
  });
  rows.push(row);
  console.log(row);
}
console.log(`\n| store | tests | chaos |\n| --- | --- | --- |\n${rows.join('\n')}`);
exit();

/** @returns a row of the table in docs/operations/files.md */
async function check(store: Store): Promise<string> {
  const tools = join(cache, `store-${store.name}`);
  const available = await run('/bin/sh', ['-c', `command -v ${store.needs}`], { cwd: project }).catch(() => undefined);
  if (available === undefined) return `| ${store.label} | not here: ${store.needs} | |`;
  console.log(`${store.label}: installing`);
  await install({ generator: store.label, install: store.install }, tools);
  return interruptible((signal) => checkIn(tools, store, signal));
}

async function checkIn(tools: string, store: Store, signal: AbortSignal): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), `store-${store.name}-`));
  let child: ChildProcess | undefined;
  try {
    await makeFolders(data);
    const instance = { port: await freePort(), data, tools };
    const { command, args, env } = store.command(instance);
    child = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'ignore', cwd: data });
    const url = await prepared(store, instance);
    console.log(`${store.label}: tests`);
    process.env.TEST_STORE_CHECKS_KEYS = String(store.checks_keys);
    process.env.TEST_STORE_NAMES_ANSWERS = String(store.namesResponses);
    const tests = await runTests(`${url[0]}/tests?${url[1]}`, signal);
    console.log(`${store.label}: chaos`);
    const chaos = await chaosWith(`${url[0]}?${url[1]}`, signal);
    signal.throwIfAborted();
    if (tests.code !== 0 || chaos !== 0) process.exitCode = 1;
    return `| ${store.label} | ${tests.passed} of ${tests.passed + tests.failed} | ${chaos === 0 ? 'nothing lost' : 'violations'} |`;
  } finally {
    child?.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
  }
}

/** @returns a STORAGE_URL in two parts, to insert a prefix between them */
async function prepared(store: Store, instance: Parameters<Store['command']>[0]): Promise<[string, string]> {
  const endpoint = `http://127.0.0.1:${instance.port}`;
  const credentials = { accessKeyId: owner.accessKey, secretAccessKey: owner.secretKey };
  const client = new S3Client({ endpoint, forcePathStyle: true, region: 'us-east-1', credentials, maxAttempts: 1 });
  await waitUntilResponding(() => client.send(new CreateBucketCommand({ Bucket: bucket })));
  const putPolicy = async (Policy: string) => {
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
  };
  const { accessKey, secretKey } = (await store.keys?.(instance, bucket, putPolicy)) ?? owner;
  client.destroy();
  const bucketUrl = `s3://${accessKey}:${encodeURIComponent(secretKey)}@${bucket}`;
  return [bucketUrl, `region=us-east-1&path_style=true&endpoint=${encodeURIComponent(endpoint)}`];
}

async function waitUntilResponding(work: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; ; await sleep(200)) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`it does not respond: ${(error as Error).message}`, { cause: error });
    }
  }
}

function chaosWith(STORAGE_URL: string, signal: AbortSignal): Promise<number> {
  const env = { ...process.env, ...chaosSettings, STORAGE_URL };
  const child = spawn(process.execPath, ['scripts/proof/chaos/chaos.ts'], {
    cwd: project,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true }); // it stops its own child processes
  return new Promise((ended) => child.once('exit', (code) => ended(code ?? 1)));
}
