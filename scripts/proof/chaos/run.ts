// Runs the chaos test: setup, traffic with faults, drain, checks.
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { createRandom } from '../../random/random.ts';
import { checkAll } from './checks.ts';
import { waitUntilDrained } from './drained.ts';
import { type Fault, type FaultKind, type FaultRecord, inject, schedule } from './faults.ts';
import { createProgram } from './machines/program.ts';
import { createModel, type Model } from './model.ts';
import { subscribe } from './operations/subscriptions.ts';
import type { Behavior } from './receivers.ts';
import { createTrafficLog, type TrafficLog } from './traffic-log.ts';
import { openWorld, type World } from './world.ts';

interface ChaosOptions {
  seed: number;
  seconds: number;
  clients: number;
  companies: number;
  storage: 'folder' | 's3';
  /** Use a Citus cluster instead of plain Postgres. */
  cluster?: boolean;
  /** STORAGE_URL of an existing object store to use instead. */
  storageUrl?: string | undefined;
  kinds: readonly FaultKind[];
  /** Initial receivers of each company. */
  receivers: readonly Behavior[];
  pause_ms: number;
  /** Time limit for draining after the last fault. */
  drainMs: number;
  settings?: Record<string, string>;
  /** Keep logs and database even without violations. */
  keepFolder?: boolean;
  log?: (line: string) => void;
}

export interface ChaosResult {
  trafficLog: TrafficLog;
  model: Model;
  faults: FaultRecord[];
  /** Drain times, by what was waited for. */
  drained: { label: string; ms: number }[];
  /** Checks, with the number of items. */
  checked: [what: string, count: number][];
  world: World;
  traffic: { startedMs: number; endedMs: number };
  /** Logs and database, if there is something to investigate. */
  folder: string;
}

/** Gives up silent connections early enough for short runs. */
const shortLimits = { DATABASE_STATEMENT_TIMEOUT_MS: '8000', DATABASE_SOCKET_TIMEOUT_MS: '9000' };

/** @throws when setup fails; violations are part of the result */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, seconds, log = () => {} } = options;
  const random = createRandom(seed);
  const trafficLog = createTrafficLog();
  const model = createModel();
  const planned: Fault[] = schedule(random.fork('faults'), seconds, options.kinds);
  log(`starting Postgres, 2 APIs, 2 workers, mail server, store, receivers; ${options.clients} clients sign in`);
  const world = await openWorld({
    ...options,
    settings: { ...shortLimits, ...options.settings },
    gated: true,
    trafficLog,
    random,
  });
  try {
    for (const [n, companyId] of world.companies.entries()) {
      for (const behavior of options.receivers) {
        const events = behavior === 'slow' ? ['collaborator.*', 'document.*'] : ['*'];
        await subscribe(world.clients[n]!, world.receivers.add(companyId, behavior, events));
      }
    }
    const photos = await Promise.all(['#3377cc', '#cc7733', '#33cc77'].map(picture));
    const programs = world.clients.map((client, number) =>
      createProgram({
        ...options,
        without: [],
        number,
        client,
        model,
        trafficLog,
        photos,
        ...world,
        random: random.fork(`${number}`),
      }),
    );
    log(`${seconds} s of traffic, ${planned.length} faults`);
    const stop = new AbortController();
    const startedMs = performance.now();
    const running = programs.map((program) => program.run(stop.signal));
    const failed = Promise.all(running).then(() => sleep(2 ** 30, undefined, { ref: false })) as Promise<never>;
    const faults = await Promise.race([inject(world, planned, startedMs), failed]);
    await Promise.race([sleep(Math.max(0, startedMs + seconds * 1_000 - performance.now())), failed]);
    stop.abort();
    const endedMs = performance.now();
    log('stopping traffic: waiting for requests in progress');
    await Promise.all(running);
    const drained = await waitUntilDrained(world, trafficLog, options.drainMs, log);
    log('checking');
    const checked = await checkAll(world, model, trafficLog);
    for (const each of [...world.api, ...world.workers]) {
      for (const exit of each.exits.filter(({ wasReady }) => wasReady)) {
        trafficLog.violation(
          `${each.name} ended by itself (${exit.signal ?? exit.code}): ${exit.stderrTail.slice(-600)}`,
        );
      }
    }
    await stopAll(world, trafficLog);
    const traffic = { startedMs, endedMs };
    return { trafficLog, model, faults, drained, checked, world, traffic, folder: world.folder };
  } finally {
    await world.close(options.keepFolder === true || trafficLog.violations.length > 0);
  }
}

const stopTimeoutMs = 40_000;

/** Stops the processes as an operator would; each must exit with 0. */
async function stopAll({ api, workers }: World, trafficLog: TrafficLog): Promise<void> {
  await Promise.all(
    [...api, ...workers].map(async (each) => {
      const late = sleep(stopTimeoutMs, 'late' as const, { ref: false });
      const exit = await Promise.race([each.stop('SIGTERM'), late]);
      if (exit === 'late') trafficLog.violation(`${each.name} did not stop within ${stopTimeoutMs / 1_000} s`);
      else if (exit?.wasReady && exit.code !== 0) {
        trafficLog.violation(`${each.name} was stopped and ended with ${exit.signal ?? exit.code}: ${exit.stderrTail}`);
      }
    }),
  );
}

function picture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toBuffer();
}
