// Walks through the API and tells what happens: against the service that runs in this checkout, or a fresh one.
// Ends with 0 only when every step went as it should.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder, developmentSettings, type Environment } from '../src/development.ts';
import { startProblem } from '../src/start-problem.ts';
import { demoCompany } from './demo/company.ts';
import { steps } from './demo/steps.ts';
import { StepFailed, tellStory } from './demo/story.ts';
import { ownService, startDevelopment } from './development.ts';
import { quiet } from './progress.ts';

try {
  await demo(process.env);
} catch (error) {
  console.error(`\n${error instanceof StepFailed ? error.message : startProblem(error)}`);
  process.exitCode = 1;
}

async function demo(environment: Environment): Promise<void> {
  const own = await ownService(environment);
  if (own) return walk(environment, own.base_url, 'the service that runs in this checkout');
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  interrupted.catch(() => {}); // nobody waits for it before the walk
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => reject(new Error('interrupted')));
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-demo-'));
  // It lives beside whatever else runs here, and takes no database, key or address from it, nor sends mails.
  const none = { DATABASE_URL: undefined, BASE_URL: undefined, ENCRYPTION_KEY: undefined, SMTP_URL: undefined };
  const fresh = { ...environment, ...none, NODE_ENV: 'development', DATA_DIR: folder, PORT: '0' };
  try {
    console.log('Starting a fresh service: none runs in this checkout (`make run` starts one) …');
    const service = await startDevelopment(fresh, quiet);
    try {
      await demoCompany(fresh, service.db);
      await Promise.race([walk(fresh, service.base_url, 'a fresh service'), interrupted]);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function walk(environment: Environment, base_url: string, which: string): Promise<void> {
  console.log(`A trip through the API at ${base_url}, ${which}.`);
  const { CLI_CLIENT_ID, DEMO_PASSWORD: password } = await developmentSettings(environment);
  const run_id = randomBytes(4).toString('hex');
  const outbox = join(dataFolder(environment), 'outbox');
  await tellStory(steps, { base_url, client_id: CLI_CLIENT_ID!, password, run_id, outbox });
  console.log(`\nAll ${steps.length} steps went as they should.`);
}
