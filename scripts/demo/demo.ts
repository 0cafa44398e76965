// Walks through the API and tells what happens: against the service that runs in this checkout, or a fresh one. DATABASE_URL
// asks for a fresh one on that server: the one that runs may use another.
// Ends with 0 only when every step went as it should.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { command_line_client_id } from '../../src/identity/clients/command-line-client.ts';
import { dataFolder, developmentSettings, type Environment } from '../../src/platform/config/development.ts';
import { startProblem } from '../../src/platform/process/start-problem.ts';
import { ownService } from '../run/development.ts';
import { withFreshService } from '../run/fresh-service.ts';
import { steps } from './steps.ts';
import { StepFailed, tellStory } from './story.ts';

try {
  await demo(process.env);
} catch (error) {
  console.error(`\n${error instanceof StepFailed ? error.message : startProblem(error)}`);
  process.exitCode = 1;
}

async function demo(environment: Environment): Promise<void> {
  const is_told_where = Boolean(environment.DATABASE_URL || environment.DATABASE_URL_FILE);
  const own = is_told_where ? undefined : await ownService(environment);
  const has_people = own && (await developmentSettings(environment)).DEMO_COMPANY_ID; // not after COMPANY=empty
  if (has_people) return walk(environment, own.base_url, 'the service that runs in this checkout');
  const why = is_told_where
    ? 'DATABASE_URL is set'
    : 'none runs in this checkout with the demo company (`make run` starts one)';
  console.log(`Starting a fresh service: ${why} …`);
  await withFreshService(environment, 'demo', ({ base_url }, fresh) => walk(fresh, base_url, 'a fresh service'));
}

async function walk(environment: Environment, base_url: string, which: string): Promise<void> {
  console.log(`A trip through the API at ${base_url}, ${which}.`);
  const { DEMO_PASSWORD: password } = await developmentSettings(environment);
  const run_id = randomBytes(4).toString('hex');
  const outbox = join(dataFolder(environment), 'outbox');
  await tellStory(steps, { base_url, client_id: command_line_client_id, password, run_id, outbox });
  console.log(`\nAll ${steps.length} steps went as they should.`);
}
