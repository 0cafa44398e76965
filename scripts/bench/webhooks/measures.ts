// Webhook benchmarks, one function each. Each starts with new subscriptions and a new worker, and stops the worker.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTime, endServer, peakMemory, stopServer } from '../harness/servers.ts';
import type { Candidate, Marker } from './candidate.ts';
import { type Arrival, now, type Receiver } from './receiver.ts';

/** By name: milliseconds, deliveries per second, or counts. */
export type Figures = Record<string, number>;

const warmEvents = 100;
/** Warms up the API, for contestants with a JIT compiler. */
const warmS = 5;
/** Events sent to hanging receivers. */
const hangingEvents = 100;
/** The lease of a killed worker expires after 45 s; a peer may take longer. */
const maxAfterKillMs = 120_000;

let lastMarker = 0;

function markers(count: number): Marker[] {
  return Array.from({ length: count }, () => ++lastMarker);
}

interface Pace {
  rate: number;
  seconds: number;
}

/** Latency of single events, from the acknowledgment to the receiver. */
export async function latency(
  candidate: Candidate,
  receiver: Receiver,
  { paces, how }: { paces: Pace[]; how: 'publish' | 'commit' },
): Promise<Figures> {
  await candidate.subscribe(receiver.answering(1));
  const worker = await warmWorker(candidate, receiver);
  const figures: Figures = {};
  const warmed = await paced({ ...paces.at(-1)!, seconds: warmS }, (marker) => candidate[how]!(marker));
  await receiver.readAll(warmed.size);
  for (const pace of paces) {
    const acknowledgedAt = await paced(pace, (marker) => candidate[how]!(marker));
    const delays = delaysOf(acknowledgedAt, await receiver.readAll(acknowledgedAt.size));
    Object.assign(figures, quantiles(`${how}_${pace.rate}`, delays));
  }
  await endServer(worker);
  return figures;
}

/** Drains a backlog: from worker start to the first arrival, and from there to the last. */
export async function drain(
  candidate: Candidate,
  receiver: Receiver,
  { events, endpoints, waiting = 0 }: { events: number; endpoints: number; waiting?: number },
): Promise<Figures> {
  await candidate.subscribe(receiver.answering(endpoints));
  if (waiting > 0) await candidate.waitingRetries!(waiting);
  await candidate.publishMany(markers(events));
  const worker = candidate.startWorker();
  const arrivals = (await receiver.readAll(events * endpoints)).map(({ atMs }) => atMs);
  const [cpuUs, memoryMb] = [cpuTime(worker), peakMemory(worker)];
  await endServer(worker);
  const deliveries = events * endpoints;
  const name = waiting > 0 ? 'drain_waiting' : `drain_${endpoints}`;
  return {
    [`${name}_per_s`]: (1000 * deliveries) / (Math.max(...arrivals) - Math.min(...arrivals)),
    ...(cpuUs !== undefined && { [`${name}_cpu_us`]: cpuUs / deliveries }),
    ...(memoryMb !== undefined && { [`${name}_memory_mb`]: memoryMb }),
  };
}

/** From worker start to the first arrival, with one pending event. */
export async function start(candidate: Candidate, receiver: Receiver): Promise<Figures> {
  await candidate.subscribe(receiver.answering(1));
  await endServer(await warmWorker(candidate, receiver)); // it saves compiled code on exit, which the image has
  await candidate.publishMany(markers(1));
  const startedMs = now();
  const worker = candidate.startWorker();
  const [first] = await receiver.readAll(1);
  await endServer(worker);
  return { start_ms: first!.atMs - startedMs };
}

/** Latency of a responsive receiver beside others that accept requests and never respond. */
export async function latencyWithHanging(
  candidate: Candidate,
  receiver: Receiver,
  { pace, hanging, name }: { pace: Pace; hanging: number; name: string },
): Promise<Figures> {
  await candidate.subscribe([...receiver.answering(1), ...receiver.hanging(hanging)]);
  const worker = await warmWorker(candidate, receiver);
  await candidate.publishMany(markers(hangingEvents));
  const acknowledgedAt = await paced(pace, (marker) => candidate.publish(marker));
  const arrivals = await receiver.readAll(hangingEvents + acknowledgedAt.size);
  await endServer(worker);
  return quantiles(name, delaysOf(acknowledgedAt, arrivals));
}

export async function kill(candidate: Candidate, receiver: Receiver, events: number): Promise<Figures> {
  await candidate.subscribe(receiver.answering(1));
  const sent = markers(events);
  await candidate.publishMany(sent);
  const first = candidate.startWorker();
  await receiver.waitForArrivals(events * 0.3);
  stopServer(first);
  const restarted = now();
  const second = candidate.startWorker();
  const missing = new Set(sent);
  const after: number[] = [];
  let requests = 0;
  while (missing.size > 0 && now() - restarted < maxAfterKillMs) {
    await sleep(50);
    for (const { marker, atMs } of await receiver.readArrivals()) {
      requests++;
      if (missing.delete(marker) && atMs > restarted) after.push(atMs - restarted);
    }
  }
  await sleep(1_000);
  requests += (await receiver.readArrivals()).length;
  await endServer(second);
  const ofRest = (share: number) => after.toSorted((a, b) => a - b)[Math.ceil(after.length * share) - 1]!;
  const received = events - missing.size;
  const times = { kill_half_ms: ofRest(0.5), kill_90_ms: ofRest(0.9), kill_last_ms: ofRest(1) };
  return { ...times, kill_rest: after.length, kill_doubled: requests - received, kill_lost: missing.size };
}

async function warmWorker(candidate: Candidate, receiver: Receiver): Promise<string> {
  const worker = candidate.startWorker();
  await candidate.publishMany(markers(warmEvents));
  await receiver.readAll(warmEvents);
  return worker;
}

/** @returns when each event was acknowledged */
async function paced(
  { rate, seconds }: Pace,
  publish: (marker: Marker) => Promise<void>,
): Promise<Map<Marker, number>> {
  const startedMs = now();
  const acknowledgedAt = new Map<Marker, number>();
  const running: Promise<void>[] = [];
  for (const [n, marker] of markers(rate * seconds).entries()) {
    const waitMs = startedMs + (n * 1000) / rate - now();
    if (waitMs > 1) await sleep(waitMs);
    running.push(
      publish(marker).then(() => {
        acknowledgedAt.set(marker, now());
      }),
    );
  }
  await Promise.all(running);
  return acknowledgedAt;
}

/** An arrival before the acknowledgment counts as zero delay. */
function delaysOf(acknowledgedAt: Map<Marker, number>, arrivals: readonly Arrival[]): number[] {
  return arrivals.flatMap(({ marker, atMs }) => {
    const from = acknowledgedAt.get(marker);
    return from === undefined ? [] : [Math.max(0, atMs - from)];
  });
}

function quantiles(name: string, values: readonly number[]): Figures {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
  return { [`${name}_p50`]: at(0.5), [`${name}_p95`]: at(0.95), [`${name}_p99`]: at(0.99), [`${name}_most`]: at(1) };
}
