// Generates API clients from the contract, compiles them, and runs the same test program ("trip") with each against a live
// service.
//
// node scripts/proof/sdk-check/sdk-check.ts [--all] [name …]: only the named clients; with --all, none may be skipped. Clients
// with missing tools are skipped, with the reason in the final table. Generated code is kept in .data/sdk-check, downloads in
// .data/tools or TOOLS_CACHE.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exit } from '../../../src/platform/process/exit.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import type { DevelopmentService } from '../../run/development.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { signIn } from '../../run/sign-in.ts';
import { cache, type Folders, missing, project, run, type SdkClient } from './client.ts';
import { clients } from './clients.ts';
import { install } from './install.ts';
import { type Outcome, table } from './table.ts';

const expected = [
  'token: for 3600 s',
  'company: Verde Logística, as admin',
  'created: 3 collaborators, pending',
  'listed: 3 collaborators on 2 pages',
  'uploaded: contract.pdf, contract, 77 bytes',
  'rejected: validation_error, email taken',
  'webhook: CollaboratorCreated, pending, signature valid',
];
/** Lines of a short trip. */
const short = { from: 2, to: 6 };

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const selected = clients.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => clients.every((client) => client.name !== name));
if (unknown.length > 0) {
  console.error(`Unknown client ${unknown.join(', ')}; available: ${clients.map(({ name }) => name).join(', ')}.`);
  exit(1);
}

try {
  const outcomes = await checkAll(selected);
  const named = (result: Outcome['result']) =>
    outcomes.filter((outcome) => outcome.result === result).map(({ client }) => client.name);
  console.log(`\n${table(outcomes)}\n`);
  console.log(`${named('passed').length} of ${selected.length} clients passed.`);
  const [failed, skipped] = [named('failed'), named('skipped')];
  if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`);
  if (values.all && skipped.length > 0) throw new Error(`with --all, none may be skipped: ${skipped.join(', ')}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exit();

async function checkAll(selected: SdkClient[]): Promise<Outcome[]> {
  const missingTools = new Map<SdkClient, string>();
  for (const client of selected) {
    const missingTool = await missing(client);
    if (missingTool) missingTools.set(client, `this machine has no ${missingTool}`);
  }
  const outcomes: Outcome[] = [];
  const checkEach = async (check?: (client: SdkClient) => Promise<Outcome>) => {
    for (const client of selected) {
      console.log(`${client.name}, by ${client.generator}`);
      const reason = missingTools.get(client);
      const outcome: Outcome = reason ? { client, result: 'skipped', reason } : await check!(client);
      if (outcome.reason) console.log(`  ${outcome.result}: ${outcome.reason}`);
      outcomes.push(outcome);
    }
  };
  if (missingTools.size === selected.length) {
    await checkEach();
  } else {
    await withFreshService(process.env, 'sdk-check', async (service) => {
      await checkEach((client) => check(client, service, service.password));
    });
  }
  return outcomes;
}

async function check(client: SdkClient, service: DevelopmentService, password: string): Promise<Outcome> {
  const tools = join(cache, client.name);
  try {
    await install(client, tools);
  } catch (error) {
    const reason = `its tools cannot be installed: ${(error as Error).message.split('\n').at(-1)}`;
    return { client, result: 'skipped', reason };
  }
  const work = join(project, '.data/sdk-check', client.name);
  const folders = { tools, work, document: join(project, 'generated', client.document) };
  try {
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { recursive: true });
    const startedMs = performance.now();
    await client.build(folders);
    const command = client.trip(folders);
    const verb = 'not_compiled' in command ? 'generated' : 'generated and compiled';
    console.log(`  ${verb} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    if ('not_compiled' in command) return { client, result: 'generated', reason: command.not_compiled };
    await runTrip(client, command, folders, await environmentOfTrip(client, service, password));
    return { client, result: 'passed', reason: '' };
  } catch (error) {
    console.log(`  ${(error as Error).message.replaceAll('\n', '\n  ')}`);
    return { client, result: 'failed', reason: (error as Error).message.split('\n', 1)[0]! };
  }
}

/** Environment of a program: a refresh token for the whole trip, otherwise an access token and a company. */
async function environmentOfTrip(
  { name, length }: SdkClient,
  { base_url: baseUrl, client_id: clientId }: DevelopmentService,
  password: string,
): Promise<Record<string, string>> {
  const { access_token: accessToken, refresh_token: refreshToken } = await signIn({
    base_url: baseUrl,
    client_id: clientId,
    email: accounts.admin,
    password,
  });
  const env = { BASE_URL: baseUrl, RUN_ID: `${name}-${Date.now().toString(36)}` };
  if (length === 'whole') return { ...env, CLIENT_ID: clientId, REFRESH_TOKEN: refreshToken! };
  const response = await fetch(`${baseUrl}/auth/user`, { headers: { authorization: `Bearer ${accessToken}` } });
  const { companies } = (await response.json()) as { companies: { id: string }[] };
  return { ...env, ACCESS_TOKEN: accessToken, COMPANY_ID: companies[0]!.id };
}

/** @throws the trip's error, or the difference from the expected output */
async function runTrip(
  { length }: SdkClient,
  [command, ...args]: [string, ...string[]],
  { work }: Folders,
  env: Record<string, string>,
): Promise<void> {
  const selected = length === 'whole' ? expected : expected.slice(short.from, short.to);
  const printed = (await run(command, args, { cwd: work, env })).trim().split(/\r?\n/);
  for (const line of printed) console.log(`  ${line}`);
  if (printed.join('\n') !== selected.join('\n')) throw new Error(`it should have printed:\n${selected.join('\n')}`);
}
