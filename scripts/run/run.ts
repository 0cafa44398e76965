// Starts API and worker locally with a demo company, and prints what to do next. Ctrl-C stops it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../packages/cli/src/account/browser.ts';
import { readAccount } from '../../packages/cli/src/account/companies.ts';
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
import { accounts, emptyCompany, emptyCompanyAccount } from './demo/demo-company.ts';
import { fullCompany } from './demo/full-company.ts';
import { type Receivers, startReceivers } from './demo/receivers.ts';
import { type DevelopmentService, ownService, startDevelopment } from './development.ts';
import { printProgress } from './progress.ts';
import { signIn } from './sign-in.ts';
import { untilSignal } from './until-signal.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

run(process.env).catch((error) => {
  console.error(startProblem(error));
  exit(1);
});

async function run(environment: Environment): Promise<void> {
  let isStopping = false;
  const stopped = untilSignal().then(() => {
    isStopping = true;
  });
  const other = await ownService(environment);
  if (other && !environment.PORT) {
    throw new Error(
      `this checkout runs already at ${other.base_url} (process ${other.pid}); PORT=… starts another one`,
    );
  }
  const service = await startDevelopment(environment, printProgress);
  let receivers: Receivers | undefined;
  try {
    const isEmpty = environment.COMPANY === 'empty';
    if (!isEmpty) receivers = await startReceivers(environment);
    const displayedCompany = receivers
      ? await prepareDemoCompany(environment, service, receivers)
      : await newCompany(environment, service);
    await printProgress('sign-in for the command line', () => ensureSignIn(environment, service, displayedCompany));
    const { base_url: baseUrl, key_id: keyId } = service;
    await writeRunningService(environment, { base_url: baseUrl, pid: process.pid, key_id: keyId });
    if (!isStopping) {
      const readyS = performance.now() / 1000; // since the process started
      console.log(await nextSteps(environment, service, displayedCompany, readyS));
      if (opensBrowser(environment)) openBrowser(new URL('/console', baseUrl), environment);
    }
    await stopped;
    console.log('\nStopping …');
  } finally {
    await removeRunningService(environment, process.pid);
    await service.stop();
    receivers?.close();
  }
  exit(0);
}

interface DisplayedCompany {
  id: string;
  name: string;
  accounts: { admin: string } & Record<string, string>;
}

async function prepareDemoCompany(
  environment: Environment,
  service: DevelopmentService,
  receivers: Receivers,
): Promise<DisplayedCompany> {
  const displayedCompany: DisplayedCompany = { id: '', name: '', accounts };
  await printProgress('demo company', async () => {
    const { company, people } = await fullCompany(environment, service, receivers);
    Object.assign(displayedCompany, { id: company.id, name: company.name });
    return people > 0 ? `${company.name} with ${people} people and a month of history` : company.name;
  });
  return displayedCompany;
}

async function newCompany(environment: Environment, { db }: DevelopmentService): Promise<DisplayedCompany> {
  const displayedCompany: DisplayedCompany = { id: '', name: '', accounts: { admin: emptyCompanyAccount.admin.email } };
  await printProgress('company', async () => {
    const { company, added } = await emptyCompany(environment, db);
    Object.assign(displayedCompany, { id: company.id, name: company.name });
    return added > 0 ? `${company.name} with nobody but its admin` : company.name;
  });
  return displayedCompany;
}

/** Only on a terminal, and unless `OPEN=no`; machines without a display have no browser. */
function opensBrowser({ OPEN, CI }: Environment): boolean {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY) && !CI && !/^(no|false|0)$/i.test(OPEN ?? '');
}

/** Lets `npm run cli -- token` work at once. Keeps a valid sign-in of anyone in the company. */
async function ensureSignIn(
  environment: Environment,
  { base_url: baseUrl, client_id: clientId }: DevelopmentService,
  { id: companyId, accounts: { admin: email } }: DisplayedCompany,
): Promise<string> {
  try {
    const { access_token: accessToken } = await currentSignIn({ environment, program: 'npm run cli --' }, baseUrl);
    const user = await readAccount(baseUrl, accessToken);
    if (user.companies.some(({ id }) => id === companyId)) return `as ${user.email}, kept`;
  } catch {
    // none, or one that has ended: a new one follows
  }
  const { DEMO_PASSWORD: password } = await developmentSettings(environment);
  try {
    const tokens = await signIn({ base_url: baseUrl, client_id: clientId, email, password });
    await storeTokens(environment, baseUrl, clientId, tokens);
    return `as ${email}`;
  } catch (error) {
    return `did not work: ${(error as Error).message}`; // not fatal
  }
}

async function nextSteps(
  environment: Environment,
  { base_url: baseUrl, log_file: logFile }: DevelopmentService,
  { id, name, accounts }: DisplayedCompany,
  readyS: number,
): Promise<string> {
  const { DEMO_PASSWORD } = await developmentSettings(environment);
  const { smtp_url: smtpUrl, dataDir } = readConfig(await developmentEnvironment(environment));
  const mails = smtpUrl ? `sent by ${new URL(smtpUrl).host}` : `kept as files in ${join(dataDir, 'outbox')}`;
  const list = Object.entries(accounts).map(([role, email]) => `${role.padEnd(9)} ${email}`);
  return `
Ready in ${readyS.toFixed(1)} s. Open the console, and sign in:

  Console    ${baseUrl}/console
  Sign in    ${list.join('\n             ')}
  Password   ${DEMO_PASSWORD}   (the same for all)

  Docs       ${baseUrl}/docs
  Company    ${name}, X-Company-Id ${id}
  Mails      ${mails}
  Log        ${logFile}

Try it from another terminal:

  curl -s "${baseUrl}/v1/collaborators?per_page=3" \\
    -H "X-Company-Id: ${id}" \\
    -H "Authorization: Bearer $(npm --prefix ${shellWord(checkout)} run -s cli -- token --base-url ${baseUrl})"

Sign in as someone else:        npm run cli -- login
Your first app:                 ${baseUrl}/docs/guides/first-app
See it all at work:             make demo

Ctrl-C stops it.
`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
