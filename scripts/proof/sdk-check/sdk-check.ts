// Generates API clients from the contract, compiles them, and takes the same trip with each against a live service.
//
// node scripts/proof/sdk-check/sdk-check.ts [--all] [name …]: only the clients named; with --all none may be left out. A client whose
// tools the machine does not have, and cannot get, is left out in one line. What was generated stays in .data/sdk-check.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { developmentSettings } from '../../../src/platform/config/development.ts';
import { exit } from '../../../src/platform/process/exit.ts';
import { accounts } from '../../run/demo-company.ts';
import type { DevelopmentService } from '../../run/development.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { signIn } from '../../run/sign-in.ts';
import { hasCommand, project, run, type SdkClient } from './client.ts';
import { clients } from './clients.ts';

const folder = join(project, '.data/sdk-check');

/** What every trip prints. */
const expected = [
  'token: for 3600 s',
  'company: Verde Logística, as admin',
  'created: 3 collaborators, pending',
  'listed: 3 collaborators on 2 pages',
  'uploaded: contract.pdf, contract, 77 bytes',
  'refused: validation_error, email taken',
  'webhook: CollaboratorCreated, pending, signature good',
];

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const wanted = clients.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => clients.every((client) => client.name !== name));
if (unknown.length > 0) {
  console.error(`There is no client ${unknown.join(', ')}; there are ${clients.map(({ name }) => name).join(', ')}.`);
  exit(1);
}

try {
  const left_out = await checkAll(wanted);
  console.log(`${wanted.length - left_out.length} of ${wanted.length} clients took the trip.`);
  if (values.all && left_out.length > 0) throw new Error(`with --all none may be left out: ${left_out.join(', ')}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exit();

/** @returns the names of those that were left out */
async function checkAll(wanted: SdkClient[]): Promise<string[]> {
  const reasons = new Map<string, string>();
  const leaveOut = ({ name, generator }: SdkClient, reason: string) => {
    console.log(`${name}, by ${generator}\n  left out: ${reason}`);
    reasons.set(name, reason);
  };
  for (const client of wanted) {
    const missing = await missingCommand(client);
    if (missing) leaveOut(client, `this machine has no ${missing}`);
  }
  const possible = wanted.filter(({ name }) => !reasons.has(name));
  if (possible.length > 0) {
    await withFreshService(process.env, 'sdk-check', async (service, environment) => {
      const { DEMO_PASSWORD: password } = await developmentSettings(environment);
      for (const client of possible) {
        const reason = await install(client);
        if (reason) leaveOut(client, reason);
        else await check(client, service, password);
      }
    });
  }
  return [...reasons.keys()];
}

async function missingCommand({ needs }: SdkClient): Promise<string | undefined> {
  for (const command of needs) if (!(await hasCommand(command))) return command;
  return undefined;
}

/** @returns why its tools are not there: a registry can not be reached, say */
async function install(client: SdkClient): Promise<string | undefined> {
  const own = join(folder, client.name);
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  try {
    await client.install(own);
    return undefined;
  } catch (error) {
    return `its tools can not be installed: ${(error as Error).message.split('\n').at(-1)}`;
  }
}

/** @throws what the generator, the compiler or the trip says */
async function check(client: SdkClient, { base_url, client_id }: DevelopmentService, password: string): Promise<void> {
  const { name, generator } = client;
  const cwd = join(folder, name);
  console.log(`${name}, by ${generator}`);
  const began_ms = performance.now();
  await client.build(cwd);
  console.log(`  generated and compiled in ${((performance.now() - began_ms) / 1000).toFixed(1)} s`);
  const { refresh_token } = await signIn({ base_url, client_id, email: accounts.admin, password });
  const env = {
    BASE_URL: base_url,
    CLIENT_ID: client_id,
    REFRESH_TOKEN: refresh_token!,
    RUN_ID: `${name}-${Date.now().toString(36)}`,
  };
  const [command, ...args] = client.trip(cwd);
  const printed = (await run(command, args, { cwd, env })).trim().split(/\r?\n/);
  for (const line of printed) console.log(`  ${line}`);
  if (printed.join('\n') !== expected.join('\n')) {
    throw new Error(`${name} should have printed:\n${expected.join('\n')}`);
  }
}
