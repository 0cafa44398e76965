// Sends requests to a server, and tells what came of it.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { MeasuredRequest, Sequence } from './requests.ts';
import { cpuTime, forgetPeak, peakMemory } from './servers.ts';

interface Load {
  base_url: string;
  sequence: Sequence;
  connections: number;
  seconds: number;
}

export interface Answered {
  per_s: number;
  /** How long each took, in ascending order. */
  timesMs: Float64Array;
  /** CPU time of the server's process for a request; undefined where the system does not tell, as the next. */
  cpu_us: number | undefined;
  /** The most memory that the server's process has held meanwhile, in MB. */
  peak_mb: number | undefined;
}

/**
 * As fast as it answers, for some seconds.
 * @throws when a request fails or is refused: what is not done is not fast
 */
export async function load({ base_url: baseUrl, sequence, connections, seconds }: Load): Promise<Answered> {
  const timesMs: number[] = [];
  forgetPeak(baseUrl);
  const before = cpuTime(baseUrl);
  const { duration } = await cannonade({ url: baseUrl, connections, duration: seconds }, sequence, timesMs);
  const after = cpuTime(baseUrl);
  const cpuUs = before === undefined || after === undefined ? undefined : (after - before) / timesMs.length;
  return {
    per_s: timesMs.length / duration,
    timesMs: Float64Array.from(timesMs).sort(),
    cpu_us: cpuUs,
    peak_mb: peakMemory(baseUrl),
  };
}

/** As fast as it answers, until that many are answered. */
export async function loadWith({ base_url: baseUrl, sequence, connections }: Omit<Load, 'seconds'>, amount: number) {
  await cannonade({ url: baseUrl, connections, amount }, sequence, []);
}

async function cannonade(options: autocannon.Options, sequence: Sequence, timesMs: number[]) {
  const setupRequest = (each: autocannon.Request): autocannon.Request => {
    const { body, headers, ...rest } = sequence();
    // A copy, because autocannon adds the length of the body to them.
    return { ...each, ...rest, headers: { ...headers }, body: body && JSON.stringify(body) } as autocannon.Request;
  };
  const setupClient = (client: autocannon.Client) => {
    client.on('response', (_status, _bytes, timeMs) => timesMs.push(timeMs));
  };
  // It ends when it has counted, which is four times a second.
  const result = await autocannon({ ...options, sampleInt: 250, requests: [{ setupRequest }], setupClient });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${options.url}: ${result.non2xx} requests were refused, ${result.errors} failed`);
  }
  return result;
}

export interface Calm {
  per_s: number;
  timesMs: Float64Array;
  /** How many were not carried out, because the server had too much to do. */
  refused: number;
}

/**
 * So many a second, evenly, however fast it answers: each is due at its time, and waits from then on. What is due in the same
 * millisecond leaves together, up to one late.
 * @returns how long each took, in ascending order
 */
export async function calmLoad(
  { base_url: baseUrl, sequence, seconds }: Omit<Load, 'connections'>,
  perS: number,
): Promise<Calm> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const beganMs = performance.now();
  const timesMs: number[] = [];
  let refused = 0;
  const answers: Promise<void>[] = [];
  for (let nowMs = beganMs; nowMs < beganMs + seconds * 1_000; nowMs = performance.now()) {
    while (answers.length < ((nowMs - beganMs) / 1_000) * perS) {
      const dueMs = beganMs + (answers.length / perS) * 1_000;
      const taken = (status: number) => {
        if (status < 300) timesMs.push(performance.now() - dueMs);
        else refused += 1;
      };
      answers.push(answered(baseUrl, sequence(), agent).then(taken));
    }
    await sleep(1); // without a pause this process takes a core, and the server is measured with the other one
  }
  await Promise.all(answers);
  agent.destroy();
  return { per_s: perS, timesMs: Float64Array.from(timesMs).sort(), refused };
}

/** @returns the status */
function answered(baseUrl: string, { path, method, headers, body }: MeasuredRequest, agent: Agent): Promise<number> {
  const text = body && JSON.stringify(body);
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(baseUrl + path, { method, headers: { ...headers, ...length }, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** @param timesMs in ascending order @param q from 0 to 1 */
export function quantile(timesMs: Float64Array, q: number): number {
  return timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * q))]!;
}
