// Sends load to a server, and measures it.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { MeasuredRequest, Sequence } from '../requests.ts';
import { cpuTime, peakMemory, resetPeakMemory } from './servers.ts';

interface Load {
  base_url: string;
  sequence: Sequence;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  per_s: number;
  timesMs: Float64Array;
  /** CPU time of the server process per request; undefined where unavailable, as the next. */
  cpu_us: number | undefined;
  peak_mb: number | undefined;
}

/**
 * Sends requests as fast as the server responds, for some seconds.
 * @throws when a request fails or is rejected, because that would distort the result
 */
export async function load({ base_url: baseUrl, sequence, connections, seconds }: Load): Promise<LoadResult> {
  const timesMs: number[] = [];
  resetPeakMemory(baseUrl);
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

/** Sends this many requests as fast as the server responds. */
export async function loadWith({ base_url: baseUrl, sequence, connections }: Omit<Load, 'seconds'>, amount: number) {
  await cannonade({ url: baseUrl, connections, amount }, sequence, []);
}

async function cannonade(options: autocannon.Options, sequence: Sequence, timesMs: number[]) {
  const setupRequest = (each: autocannon.Request): autocannon.Request => {
    const { body, headers, ...rest } = sequence();
    // A copy, because autocannon adds content-length.
    return { ...each, ...rest, headers: { ...headers }, body: body && JSON.stringify(body) } as autocannon.Request;
  };
  const setupClient = (client: autocannon.Client) => {
    client.on('response', (_status, _bytes, timeMs) => timesMs.push(timeMs));
  };
  // It stops at a sampling interval, so sample four times a second.
  const result = await autocannon({ ...options, sampleInt: 250, requests: [{ setupRequest }], setupClient });
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = Object.keys(result.statusCodeStats ?? {}).join(', ');
    throw new Error(`${options.url}: ${result.non2xx} requests were refused, ${result.errors} failed (${statuses})`);
  }
  return result;
}

export interface PacedResult {
  per_s: number;
  timesMs: Float64Array;
  /** Requests rejected because the server was overloaded. */
  refused: number;
}

/**
 * Sends requests at a constant rate, regardless of response times; latency counts from the scheduled time. Requests due in the
 * same millisecond leave together, up to one millisecond late.
 * @returns latencies, ascending
 */
export async function constantRateLoad(
  { base_url: baseUrl, sequence, seconds }: Omit<Load, 'connections'>,
  perS: number,
): Promise<PacedResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const startedMs = performance.now();
  const timesMs: number[] = [];
  let refused = 0;
  const responses: Promise<void>[] = [];
  for (let nowMs = startedMs; nowMs < startedMs + seconds * 1_000; nowMs = performance.now()) {
    while (responses.length < ((nowMs - startedMs) / 1_000) * perS) {
      const dueMs = startedMs + (responses.length / perS) * 1_000;
      const recordStatus = (status: number) => {
        if (status < 300) timesMs.push(performance.now() - dueMs);
        else refused += 1;
      };
      responses.push(sendRequest(baseUrl, sequence(), agent).then(recordStatus));
    }
    await sleep(1); // a busy loop would use a core, and distort the measurement
  }
  await Promise.all(responses);
  agent.destroy();
  return { per_s: perS, timesMs: Float64Array.from(timesMs).sort(), refused };
}

/** @returns the status code */
function sendRequest(baseUrl: string, { path, method, headers, body }: MeasuredRequest, agent: Agent): Promise<number> {
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

/** @param timesMs ascending @param q from 0 to 1 */
export function quantile(timesMs: Float64Array, q: number): number {
  return timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * q))]!;
}
