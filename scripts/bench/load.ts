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
  times_ms: Float64Array;
  /** CPU time of the server's process for a request; undefined where the system does not tell, as the next. */
  cpu_us: number | undefined;
  /** The most memory that the server's process has held meanwhile, in MB. */
  peak_mb: number | undefined;
}

/**
 * As fast as it answers, for some seconds.
 * @throws when a request fails or is refused: what is not done is not fast
 */
export async function load({ base_url, sequence, connections, seconds }: Load): Promise<Answered> {
  const times_ms: number[] = [];
  forgetPeak(base_url);
  const before = cpuTime(base_url);
  const { duration } = await cannonade({ url: base_url, connections, duration: seconds }, sequence, times_ms);
  const after = cpuTime(base_url);
  const cpu_us = before === undefined || after === undefined ? undefined : (after - before) / times_ms.length;
  return {
    per_s: times_ms.length / duration,
    times_ms: Float64Array.from(times_ms).sort(),
    cpu_us,
    peak_mb: peakMemory(base_url),
  };
}

/** As fast as it answers, until that many are answered. */
export async function loadWith({ base_url, sequence, connections }: Omit<Load, 'seconds'>, amount: number) {
  await cannonade({ url: base_url, connections, amount }, sequence, []);
}

async function cannonade(options: autocannon.Options, sequence: Sequence, times_ms: number[]) {
  const setupRequest = (each: autocannon.Request): autocannon.Request => {
    const { body, headers, ...rest } = sequence();
    // A copy, because autocannon adds the length of the body to them.
    return { ...each, ...rest, headers: { ...headers }, body: body && JSON.stringify(body) } as autocannon.Request;
  };
  const setupClient = (client: autocannon.Client) => {
    client.on('response', (_status, _bytes, time_ms) => times_ms.push(time_ms));
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
  times_ms: Float64Array;
  /** How many were not carried out, because the server had too much to do. */
  refused: number;
}

/**
 * So many a second, evenly, however fast it answers: each is due at its time, and waits from then on. What is due in the same
 * millisecond leaves together, up to one late.
 * @returns how long each took, in ascending order
 */
export async function calmLoad(
  { base_url, sequence, seconds }: Omit<Load, 'connections'>,
  per_s: number,
): Promise<Calm> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const began_ms = performance.now();
  const times_ms: number[] = [];
  let refused = 0;
  const answers: Promise<void>[] = [];
  for (let now_ms = began_ms; now_ms < began_ms + seconds * 1_000; now_ms = performance.now()) {
    while (answers.length < ((now_ms - began_ms) / 1_000) * per_s) {
      const due_ms = began_ms + (answers.length / per_s) * 1_000;
      const taken = (status: number) => {
        if (status < 300) times_ms.push(performance.now() - due_ms);
        else refused += 1;
      };
      answers.push(answered(base_url, sequence(), agent).then(taken));
    }
    await sleep(1); // without a pause this process takes a core, and the server is measured with the other one
  }
  await Promise.all(answers);
  agent.destroy();
  return { per_s, times_ms: Float64Array.from(times_ms).sort(), refused };
}

/** @returns the status */
function answered(base_url: string, { path, method, headers, body }: MeasuredRequest, agent: Agent): Promise<number> {
  const text = body && JSON.stringify(body);
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(base_url + path, { method, headers: { ...headers, ...length }, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** @param times_ms in ascending order @param q from 0 to 1 */
export function quantile(times_ms: Float64Array, q: number): number {
  return times_ms[Math.min(times_ms.length - 1, Math.floor(times_ms.length * q))]!;
}
