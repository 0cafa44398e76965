// Starts the API and its worker for work on this machine, with a demo company, and prints what to do next. Ctrl-C stops it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeTokens } from '../../packages/cli/src/account/credentials.ts';
import { currentSignIn } from '../../packages/cli/src/account/token.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import {
  developmentEnvironment,
  developmentSettings,
  type Environment,
  removeRunningService,
  writeRunningService,
} from '../../src/platform/config/development.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { startProblem } from '../../src/platform/process/start-problem.ts';
import { accounts, company_name, demoCompany } from './demo-company.ts';
import { type DevelopmentService, ownService, startDevelopment } from './development.ts';
import { tell } from './progress.ts';
import { signIn } from './sign-in.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

run(process.env).catch((error) => {
  console.error(startProblem(error));
  exit(1);
});

async function run(environment: Environment): Promise<void> {
  const stopped = untilSignal();
  const other = await ownService(environment);
  if (other && !environment.PORT) {
    throw new Error(
      `this checkout runs already at ${other.base_url} (process ${other.pid}); PORT=… starts another one`,
    );
  }
  const service = await startDevelopment(environment, tell);
  try {
    const company_id = await prepare(environment, service);
    const { base_url, key_id } = service;
    await writeRunningService(environment, { base_url, pid: process.pid, key_id });
    if (!stopped.already) {
      const ready_s = performance.now() / 1000; // since the process began
      console.log(await nextSteps(environment, service, company_id, ready_s));
    }
    await stopped.signal;
    console.log('\nStopping …');
  } finally {
    await removeRunningService(environment, process.pid);
    await service.stop();
  }
  exit(0);
}

/** @returns the id of the demo company */
async function prepare(environment: Environment, service: DevelopmentService): Promise<string> {
  let company_id = '';
  await tell('demo company', async () => {
    const { company, added } = await demoCompany(environment, service.db);
    company_id = company.id;
    return added > 0 ? `${company.name} with ${added} people` : company.name;
  });
  await tell('sign-in for the command line', () => ensureSignIn(environment, service));
  return company_id;
}

/** So that `npm run cli -- token` works at once; a sign-in that is there already, whoever's, is kept while it counts. */
async function ensureSignIn(environment: Environment, { base_url, client_id }: DevelopmentService): Promise<string> {
  try {
    const { access_token } = await currentSignIn({ environment, program: 'npm run cli --' }, base_url);
    const answer = await fetch(`${base_url}/auth/user`, { headers: { authorization: `Bearer ${access_token}` } });
    if (answer.ok) return `as ${((await answer.json()) as { email: string }).email}, kept`;
  } catch {
    // none, or one that has ended: a new one follows
  }
  const { DEMO_PASSWORD: password } = await developmentSettings(environment);
  try {
    const tokens = await signIn({ base_url, client_id, email: accounts.admin, password });
    await storeTokens(environment, base_url, client_id, tokens);
    return `as ${accounts.admin}`;
  } catch (error) {
    return `did not work: ${(error as Error).message}`; // no reason not to run
  }
}

async function nextSteps(
  environment: Environment,
  { base_url, log_file }: DevelopmentService,
  company_id: string,
  ready_s: number,
): Promise<string> {
  const { DEMO_PASSWORD } = await developmentSettings(environment);
  const { smtp_url, data_dir } = readConfig(await developmentEnvironment(environment));
  const mails = smtp_url ? `sent by ${new URL(smtp_url).host}` : `kept as files in ${join(data_dir, 'outbox')}`;
  const list = Object.entries(accounts).map(([role, email]) => `${role.padEnd(9)} ${email}`);
  return `
Ready in ${ready_s.toFixed(1)} s: ${base_url}

  Docs       ${base_url}/docs
  Company    ${company_name}, X-Company-Id ${company_id}
  Accounts   ${list.join('\n             ')}
  Password   ${DEMO_PASSWORD}   (the same for all)
  Runs       API and worker, in this process
  Mails      ${mails}
  Log        ${log_file}

Try it from another terminal:

  curl -s "${base_url}/v1/collaborators?per_page=3" \\
    -H "X-Company-Id: ${company_id}" \\
    -H "Authorization: Bearer $(npm --prefix ${shellWord(checkout)} run -s cli -- token --base-url ${base_url})"

Sign in as someone else:        npm run cli -- login
Register a client of your own:  npm run cli -- client create --help
See it all at work:             make demo

Ctrl-C stops it.
`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The first signal asks to stop, a second one ends the process at once. */
function untilSignal(): { signal: Promise<void>; readonly already: boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      count += 1;
      if (count > 1) exit(1);
      resolve();
    });
  }
  return {
    signal: promise,
    get already() {
      return count > 0;
    },
  };
}
