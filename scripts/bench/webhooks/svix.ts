// Svix as a contestant: its API and worker as separate processes, on the same Postgres, with a Redis that persists its queue. The
// user provides both programs; the project contains neither.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/helpers/network/free-port.ts';
import { startProgram } from '../harness/servers.ts';
import type { Candidate, Marker } from './candidate.ts';
import { newDatabase, requestSender } from './this-service.ts';

const publishers = 16;

interface SvixOptions {
  postgresUrl: string;
  folder: string;
  /** Paths of `svix-server` and `redis-server`. */
  program: string;
  redis: string;
}

export async function startSvix(options: SvixOptions): Promise<Candidate> {
  const { program } = options;
  const { base_url: baseUrl, settings } = await startApi(options);
  const token = execFileSync(program, ['jwt', 'generate'], { env: settings, encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .at(-1)!;
  const headers = { authorization: `Bearer ${token}` };
  const sendRequest = requestSender(baseUrl, headers);
  let app = '';
  const publish = (marker: Marker) =>
    sendRequest('POST', `/api/v1/app/${app}/msg`, { eventType: 'report.created', payload: payload(marker) });
  return {
    name: 'Svix',
    async subscribe(urls) {
      app = `bench-${randomBytes(6).toString('hex')}`;
      await sendRequest('POST', '/api/v1/app', { name: app, uid: app });
      for (const url of urls) await sendRequest('POST', `/api/v1/app/${app}/endpoint`, { url });
    },
    publish,
    async publishMany(markers) {
      const remaining = [...markers];
      const next = async () => {
        for (let marker = remaining.pop(); marker !== undefined; marker = remaining.pop()) await publish(marker);
      };
      await Promise.all(Array.from({ length: publishers }, next));
    },
    startWorker: () => startProgram(program, [], { ...settings, SVIX_API_ENABLED: 'false' }),
  };
}

async function startApi({ postgresUrl, folder, program, redis }: SvixOptions) {
  const [redisPort, apiPort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const persistent = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', folder];
  startProgram(redis, ['--bind', '127.0.0.1', '--port', String(redisPort), ...persistent], {});
  const settings = {
    SVIX_DB_DSN: await newDatabase(postgresUrl, 'bench_peer'),
    SVIX_REDIS_DSN: `redis://127.0.0.1:${redisPort}`,
    SVIX_QUEUE_TYPE: 'redis',
    SVIX_CACHE_TYPE: 'redis', // separate API and worker
    SVIX_JWT_SECRET: randomBytes(20).toString('hex'),
    SVIX_WHITELIST_SUBNETS: '[127.0.0.1/32]',
    SVIX_LISTEN_ADDRESS: `127.0.0.1:${workerPort}`,
    SVIX_LOG_LEVEL: 'info',
    SVIX_DB_POOL_MAX_SIZE: '20',
  };
  const baseUrl = `http://127.0.0.1:${apiPort}`;
  const ofApi = { SVIX_WORKER_ENABLED: 'false', SVIX_LISTEN_ADDRESS: `127.0.0.1:${apiPort}` };
  startProgram(program, ['--run-migrations'], { ...settings, ...ofApi });
  const deadlineMs = Date.now() + 60_000;
  while (
    !(await fetch(`${baseUrl}/api/v1/health`)
      .then(({ ok }) => ok)
      .catch(() => false))
  ) {
    if (Date.now() > deadlineMs) throw new Error('the API of Svix did not start');
    await sleep(100);
  }
  return { base_url: baseUrl, settings };
}

/** Same size as this service's body. */
function payload(marker: Marker) {
  const report = { id: `report-${marker}`, kind: 'collaborators', title: `Bench ${marker}`, period: null };
  const data = {
    event_type: 'ReportCreated',
    timestamp: new Date().toISOString(),
    idempotency_key: `report-${marker}`,
  };
  return { event: 'report.created', data: { ...data, data: report }, filler: 'x'.repeat(200) };
}
