// Walks through the API and prints each step: on the running service of this checkout, or a new one. With DATABASE_URL, starts a
// new one on that server, because the running one may use another. Exits with 0 only if every step succeeds.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { commandLineClientId } from '../../src/identity/clients/command-line-client.ts';
import { dataFolder, developmentSettings, type Environment } from '../../src/platform/config/development.ts';
import { startProblem } from '../../src/platform/process/start-problem.ts';
import { ownService } from '../run/development.ts';
import { withFreshService } from '../run/fresh-service.ts';
import { steps } from './steps.ts';
import { playStory, StepFailed } from './story.ts';

try {
  await demo(process.env);
} catch (error) {
  console.error(`\n${error instanceof StepFailed ? error.message : startProblem(error)}`);
  process.exitCode = 1;
}

async function demo(environment: Environment): Promise<void> {
  const hasDatabaseUrl = Boolean(environment.DATABASE_URL || environment.DATABASE_URL_FILE);
  const own = hasDatabaseUrl ? undefined : await ownService(environment);
  const hasPeople = own && (await developmentSettings(environment)).DEMO_COMPANY_ID; // not after COMPANY=empty
  if (hasPeople) return walk(environment, own.base_url, 'the service that runs in this checkout');
  const reason = hasDatabaseUrl
    ? 'DATABASE_URL is set'
    : 'none runs in this checkout with the demo company (`make run` starts one)';
  console.log(`Starting a fresh service: ${reason} …`);
  await withFreshService(environment, 'demo', ({ base_url: baseUrl }, fresh) =>
    walk(fresh, baseUrl, 'a fresh service'),
  );
}

async function walk(environment: Environment, baseUrl: string, description: string): Promise<void> {
  console.log(`A tour of the API at ${baseUrl}, ${description}.`);
  const { DEMO_PASSWORD: password } = await developmentSettings(environment);
  const runId = randomBytes(4).toString('hex');
  const outbox = join(dataFolder(environment), 'outbox');
  await playStory(steps, { base_url: baseUrl, client_id: commandLineClientId, password, run_id: runId, outbox });
  console.log(`\nAll ${steps.length} steps passed.`);
}
