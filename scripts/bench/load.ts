// Sends requests to a server for a while, and tells what came of it.
import autocannon from 'autocannon';
import type { MeasuredRequest } from './requests.ts';
import { cpuTime } from './servers.ts';

interface Load {
  base_url: string;
  headers: Record<string, string>;
  /** The n-th request. */
  request(n: number): MeasuredRequest;
  connections: number;
  seconds: number;
  /** Requests a second that are sent; as many as are answered, if left out. */
  rate?: number;
}

export interface Answered {
  per_s: number;
  p50_ms: number;
  p99_ms: number;
  /** CPU time of the server for a request; undefined where the system does not tell. */
  cpu_us: number | undefined;
}

let n = 0;

/** @throws when a request fails or is refused: what is not done is not fast */
export async function load({ base_url, headers, request, connections, seconds, rate }: Load): Promise<Answered> {
  const setupRequest = (each: autocannon.Request): autocannon.Request => {
    const { body, ...rest } = request(n++);
    return { ...each, ...rest, body: body && JSON.stringify(body) } as autocannon.Request;
  };
  const before = cpuTime(base_url);
  const result = await autocannon({
    url: base_url,
    headers: { 'content-type': 'application/json', ...headers },
    connections,
    duration: seconds,
    requests: [{ setupRequest }],
    ...(rate && { overallRate: rate }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${base_url}: ${result.non2xx} requests were refused, ${result.errors} failed`);
  }
  const after = cpuTime(base_url);
  const cpu_us = before === undefined || after === undefined ? undefined : (after - before) / result.requests.total;
  return { per_s: result.requests.average, p50_ms: result.latency.p50, p99_ms: result.latency.p99, cpu_us };
}
