// Soak test: steady load for ten minutes, during which memory, handles, connections, and all tables except data must stay level
// after the warm-up. MINUTES=… and RATE=… (requests per second) make it longer or heavier.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exit } from '../../../src/platform/process/exit.ts';
import { createRandom } from '../../random/random.ts';
import { createProgram } from '../chaos/machines/program.ts';
import { createModel } from '../chaos/model.ts';
import { subscribe } from '../chaos/operations/subscriptions.ts';
import { table } from '../chaos/report.ts';
import { createTrafficLog, quantile } from '../chaos/traffic-log.ts';
import { openWorld } from '../chaos/world.ts';
import { type Sample, takeSample } from './samples.ts';
import { conclude, evaluateSamples } from './verdict.ts';

const { MINUTES = '10', RATE = '100', SEED = '1' } = process.env;
const [minutes, rate] = [Number(MINUTES), Number(RATE)];
const sampleEveryMs = 10_000;
const warmUpShare = 0.4;
const clientCount = 40;
/** Limit of concurrent steps; further ones are skipped and reported. */
const maxConcurrency = 30;

const random = createRandom(Number(SEED));
const trafficLog = createTrafficLog();
const model = createModel();
console.log(`MINUTES=${MINUTES} RATE=${RATE} SEED=${SEED}\n`);
const probe = fileURLToPath(new URL('./probe.ts', import.meta.url));
const world = await openWorld({
  companies: 4,
  clients: clientCount,
  storage: 'folder',
  trafficLog,
  random,
  settings: { ACCESS_TOKEN_LIFETIME_S: '120' },
  nodeOptions: ['--expose-gc', '--import', probe],
});
/** Exit codes: on a machine that is too slow, the result is inconclusive. */
const statuses = { level: 0, 'not level': 1, 'no verdict': 2 };
let status = 1;
try {
  for (const [n, companyId] of world.companies.entries()) {
    for (const behavior of ['good', 'slow'] as const) {
      await subscribe(world.clients[n]!, world.receivers.add(companyId, behavior, ['*']));
    }
  }
  const idle = world.clients.map((client, number) =>
    createProgram({
      ...world,
      number,
      client,
      model,
      trafficLog,
      photos: [],
      random: random.fork(`${number}`),
      without: ['photo', 'subscribe'],
      pause_ms: 0,
    }),
  );
  const startedMs = performance.now();
  const samples: Sample[] = [];
  let atOnce = 0;
  let behind = 0;
  const errors: unknown[] = [];
  for (let nextSampleMs = 0; ; ) {
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs >= nextSampleMs) {
      nextSampleMs += sampleEveryMs;
      samples.push(await takeSample(world, elapsedMs));
    }
    if (elapsedMs > minutes * 60_000 || errors.length > 0) break;
    if (trafficLog.attempts.length + atOnce < (rate * elapsedMs) / 1_000) {
      const program = atOnce < maxConcurrency ? idle.shift() : undefined;
      if (program) {
        atOnce++;
        program
          .step()
          .catch((error) => errors.push(error))
          .finally(() => {
            atOnce--;
            idle.push(program);
          });
        continue;
      }
      behind++;
    }
    await sleep(5);
  }
  if (errors.length > 0) throw errors[0];
  const seconds = (performance.now() - startedMs) / 1_000;
  const verdicts = evaluateSamples(samples, minutes * 60_000 * warmUpShare);
  const displayed = verdicts.filter(({ name, start, end, maxGrowth }) => {
    if (name.endsWith(', rows')) return maxGrowth !== undefined && end + start > 0;
    return !name.startsWith('table ') || (name.endsWith(', MB') && end + start > 0.2);
  });
  const figure = (value: number) => value.toFixed(Math.abs(value) < 10 ? 2 : 1);
  console.log(
    table(
      ['measured', 'start', 'after warm-up', 'end', 'slope a minute', 'may grow by', 'verdict'],
      displayed.map(({ name, start, warm, end, slopePerMin, maxGrowth, is_level: isLevel }) => [
        name,
        ...[start, warm, end, slopePerMin].map(figure),
        maxGrowth === undefined ? 'data' : String(maxGrowth),
        isLevel ? 'level' : 'GROWS',
      ]),
    ),
  );
  const dead = verdicts.filter(({ name, end }) => name.endsWith('dead rows') && end > 1_000);
  console.log(
    `\nDead rows at the end, above 1,000: ${dead.map(({ name, end }) => `${name} ${end.toFixed(0)}`).join('; ') || 'none'}`,
  );
  const ms = trafficLog.responses.map((each) => each.ms).sort((a, b) => a - b);
  console.log(
    `${trafficLog.attempts.length} requests in ${seconds.toFixed(0)} s (${(trafficLog.attempts.length / seconds).toFixed(0)} a second of ${rate}), ` +
      `${trafficLog.attempts.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'expected').length} failed; ` +
      `p50 ${quantile(ms, 0.5).toFixed(0)} ms, p99 ${quantile(ms, 0.99).toFixed(0)} ms; ${world.receivers.acceptedAtMs.length} webhooks`,
  );
  if (behind > 0) console.log('The machine could not always keep up with the rate.');
  for (const line of trafficLog.violations) console.log(`  - ${line}`);
  const actualRate = trafficLog.attempts.length / seconds;
  const { outcome, message } = conclude(verdicts, trafficLog.violations.length, { actualRate, targetRate: rate });
  console.log(`\n${message}`);
  status = statuses[outcome];
} finally {
  await world.close(status === 1);
}
exit(status);
