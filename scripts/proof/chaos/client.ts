// A client as the guides recommend: sends an Idempotency-Key with every POST and PATCH, retries missing responses and 503s with
// the same key and backoff, and refreshes expired access tokens.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../random/random.ts';
import { TokenKeeper, type TokenKeeperOptions } from './token-keeper.ts';
import type { Outcome, TrafficLog } from './traffic-log.ts';

const responseTimeoutMs = 20_000;
const maxTries = 9;
const maxWaitMs = 6_000;

interface ClientOptions extends TokenKeeperOptions {
  base_url: string;
  company_id: string;
  trafficLog: TrafficLog;
  random: Random;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  json?: unknown;
  form?: () => FormData;
  /** Error statuses that this request may get. */
  expected?: readonly number[];
}

export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all operations, of which each caller knows its own
  body: any;
  /** Whether an earlier attempt may have been executed without a response. */
  repeated: boolean;
}

export interface Client {
  company_id: string;
  /** @returns undefined when it gave up without a response; the request may have been executed once */
  send(operation: string, request: ApiRequest): Promise<ApiResponse | undefined>;
  /** Downloads a file; undefined when it gave up. */
  download(operation: string, url: string): Promise<Buffer | undefined>;
}

/** Result of an attempt; with a value, it is final. */
interface AttemptResult<T> {
  outcome: Outcome;
  value?: T | undefined;
  /** Retry-After, in seconds. */
  wait_s?: number;
  expired?: boolean;
}

type AttemptFn<T> = (token: string, requestId: string) => Promise<AttemptResult<T>>;

export function createClient(options: ClientOptions): Client {
  const tokens = new TokenKeeper(options);
  return {
    company_id: options.company_id,
    send: (operation, request) => withRetries(options, tokens, operation, sender(options, operation, request)),
    download: (operation, url) => withRetries(options, tokens, operation, downloader(options, operation, url)),
  };
}

/** @returns undefined when it gave up */
async function withRetries<T>(
  { trafficLog, random }: ClientOptions,
  tokens: TokenKeeper,
  operation: string,
  attempt: AttemptFn<T>,
): Promise<T | undefined> {
  const pause = async (tries: number, retryAfterS: number) => {
    const ownMs = Math.min(2 ** tries * 125, maxWaitMs) * (0.75 + random.next() / 2);
    await sleep(Math.max(retryAfterS * 1_000, ownMs));
  };
  const firstMs = performance.now();
  for (let tries = 1; tries <= maxTries; tries++) {
    if (!(await tokens.isGood())) {
      await pause(tries, 0);
      continue;
    }
    const startedMs = performance.now();
    const requestId = randomUUID();
    const { outcome, value, wait_s: waitS = 0, expired } = await attempt(tokens.access_token, requestId);
    const endedMs = performance.now();
    trafficLog.attempts.push({ operation, outcome, startedMs, endedMs, request_id: requestId });
    if (expired) tokens.expire();
    else if (value !== undefined) {
      trafficLog.responses.push({ operation, ms: endedMs - firstMs, tries });
      return value;
    } else await pause(tries, waitS);
  }
  trafficLog.given_up.push({ operation, atMs: performance.now() });
  return undefined;
}

/** All attempts share an idempotency key, so that the request is executed once. */
function sender(options: ClientOptions, operation: string, request: ApiRequest): AttemptFn<ApiResponse> {
  const key = request.method === 'POST' || request.method === 'PATCH' ? randomUUID() : undefined;
  let unsure = false;
  return async (token, requestId) => {
    const repeated = unsure;
    const headers = {
      authorization: `Bearer ${token}`,
      'x-company-id': options.company_id,
      'x-request-id': requestId,
      ...(key && { 'idempotency-key': key }),
    };
    const response = await fetchOnce(options.base_url, request, headers);
    if ('lost' in response) {
      unsure = true;
      return { outcome: response.lost };
    }
    if (response.status >= 500) unsure = true;
    return interpretResponse(options.trafficLog, operation, request, response, repeated);
  };
}

interface RawResponse {
  status: number;
  text: string;
  wait_s: number;
}

async function fetchOnce(
  baseUrl: string,
  { method, path, json, form }: ApiRequest,
  headers: Record<string, string>,
): Promise<RawResponse | { lost: Outcome }> {
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      body: form ? form() : json === undefined ? null : JSON.stringify(json),
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const text = await response.text();
    return { status: response.status, text, wait_s: Number(response.headers.get('retry-after') ?? 0) };
  } catch (error) {
    return { lost: failureOutcome(error) };
  }
}

function interpretResponse(
  trafficLog: TrafficLog,
  operation: string,
  { path, expected = [] }: ApiRequest,
  { status, text, wait_s: waitS }: RawResponse,
  repeated: boolean,
): AttemptResult<ApiResponse> {
  const body = text === '' ? undefined : JSON.parse(text);
  if (status === 401 && body.error === 'token_expired') return { outcome: 'expected', expired: true };
  if (status === 409 && body.error === 'idempotency_in_progress') return { outcome: 'expected', wait_s: waitS };
  if (status === 429) return { outcome: 'expected', wait_s: waitS };
  if (status >= 500) {
    if (status !== 503) trafficLog.violation(`${operation} returned ${status}: ${text.slice(0, 300)}`);
    return { outcome: status === 503 ? 'unavailable' : 'server_error', wait_s: waitS };
  }
  const value = { status, body, repeated };
  if (status < 400) return { outcome: 'ok', value };
  if (expected.includes(status)) return { outcome: 'expected', value };
  trafficLog.violation(`${operation} ${path} returned ${status}: ${text.slice(0, 300)}`);
  return { outcome: 'refused', value };
}

function downloader({ trafficLog }: ClientOptions, operation: string, url: string): AttemptFn<Buffer> {
  return async (_token, requestId) => {
    try {
      const headers = { 'x-request-id': requestId };
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(responseTimeoutMs) });
      const bytes = Buffer.from(await response.arrayBuffer());
      const waitS = Number(response.headers.get('retry-after') ?? 0);
      if (response.status === 200) return { outcome: 'ok', value: bytes };
      if (response.status === 202) return { outcome: 'expected', wait_s: waitS };
      if (response.status === 503) return { outcome: 'unavailable', wait_s: waitS };
      trafficLog.violation(`${operation} of a file was returned ${response.status}: ${String(bytes).slice(0, 200)}`);
      return { outcome: response.status >= 500 ? 'server_error' : 'refused' };
    } catch (error) {
      return { outcome: failureOutcome(error) };
    }
  };
}

function failureOutcome(error: unknown): Outcome {
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'network';
}
