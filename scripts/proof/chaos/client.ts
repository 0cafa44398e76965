// A client as the guides recommend: sends an Idempotency-Key with every POST and PATCH, retries missing responses and 503s with
// the same key and backoff, and refreshes expired access tokens.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../random/random.ts';
import type { Ledger, Outcome } from './ledger.ts';
import { TokenKeeper, type TokenKeeperOptions } from './token-keeper.ts';

const answerTimeoutMs = 20_000;
const maxTries = 9;
const maxWaitMs = 6_000;

interface ClientOptions extends TokenKeeperOptions {
  base_url: string;
  company_id: string;
  ledger: Ledger;
  random: Random;
}

export interface Send {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  json?: unknown;
  form?: () => FormData;
  /** Error statuses that this request may get. */
  expected?: readonly number[];
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all operations, of which each caller knows its own
  body: any;
  /** Whether an earlier attempt may have been executed without a response. */
  repeated: boolean;
}

export interface Client {
  company_id: string;
  /** @returns undefined when it gave up without a response; the request may have been executed once */
  send(operation: string, request: Send): Promise<Answer | undefined>;
  /** Downloads a file; undefined when it gave up. */
  download(operation: string, url: string): Promise<Buffer | undefined>;
}

/** Result of an attempt; with a value, it is final. */
interface Tried<T> {
  outcome: Outcome;
  value?: T | undefined;
  /** Retry-After, in seconds. */
  wait_s?: number;
  expired?: boolean;
}

type Try<T> = (token: string, requestId: string) => Promise<Tried<T>>;

export function createClient(options: ClientOptions): Client {
  const tokens = new TokenKeeper(options);
  return {
    company_id: options.company_id,
    send: (operation, request) => persistently(options, tokens, operation, sender(options, operation, request)),
    download: (operation, url) => persistently(options, tokens, operation, downloader(options, operation, url)),
  };
}

/** @returns undefined when it gave up */
async function persistently<T>(
  { ledger, random }: ClientOptions,
  tokens: TokenKeeper,
  operation: string,
  attempt: Try<T>,
): Promise<T | undefined> {
  const pause = async (tries: number, toldS: number) => {
    const ownMs = Math.min(2 ** tries * 125, maxWaitMs) * (0.75 + random.next() / 2);
    await sleep(Math.max(toldS * 1_000, ownMs));
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
    ledger.attempts.push({ operation, outcome, startedMs, endedMs, request_id: requestId });
    if (expired) tokens.expire();
    else if (value !== undefined) {
      ledger.answered.push({ operation, ms: endedMs - firstMs, tries });
      return value;
    } else await pause(tries, waitS);
  }
  ledger.given_up.push({ operation, atMs: performance.now() });
  return undefined;
}

/** All attempts share an idempotency key, so that the request is executed once. */
function sender(options: ClientOptions, operation: string, request: Send): Try<Answer> {
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
    const answer = await ask(options.base_url, request, headers);
    if ('lost' in answer) {
      unsure = true;
      return { outcome: answer.lost };
    }
    if (answer.status >= 500) unsure = true;
    return meaningOf(options.ledger, operation, request, answer, repeated);
  };
}

interface Heard {
  status: number;
  text: string;
  wait_s: number;
}

async function ask(
  baseUrl: string,
  { method, path, json, form }: Send,
  headers: Record<string, string>,
): Promise<Heard | { lost: Outcome }> {
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      body: form ? form() : json === undefined ? null : JSON.stringify(json),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await answer.text();
    return { status: answer.status, text, wait_s: Number(answer.headers.get('retry-after') ?? 0) };
  } catch (error) {
    return { lost: lost(error) };
  }
}

function meaningOf(
  ledger: Ledger,
  operation: string,
  { path, expected = [] }: Send,
  { status, text, wait_s: waitS }: Heard,
  repeated: boolean,
): Tried<Answer> {
  const body = text === '' ? undefined : JSON.parse(text);
  if (status === 401 && body.error === 'token_expired') return { outcome: 'expected', expired: true };
  if (status === 409 && body.error === 'idempotency_in_progress') return { outcome: 'expected', wait_s: waitS };
  if (status === 429) return { outcome: 'expected', wait_s: waitS };
  if (status >= 500) {
    if (status !== 503) ledger.violation(`${operation} was answered ${status}: ${text.slice(0, 300)}`);
    return { outcome: status === 503 ? 'unavailable' : 'server_error', wait_s: waitS };
  }
  const value = { status, body, repeated };
  if (status < 400) return { outcome: 'ok', value };
  if (expected.includes(status)) return { outcome: 'expected', value };
  ledger.violation(`${operation} ${path} was answered ${status}: ${text.slice(0, 300)}`);
  return { outcome: 'refused', value };
}

function downloader({ ledger }: ClientOptions, operation: string, url: string): Try<Buffer> {
  return async (_token, requestId) => {
    try {
      const headers = { 'x-request-id': requestId };
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(answerTimeoutMs) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const waitS = Number(answer.headers.get('retry-after') ?? 0);
      if (answer.status === 200) return { outcome: 'ok', value: bytes };
      if (answer.status === 202) return { outcome: 'expected', wait_s: waitS };
      if (answer.status === 503) return { outcome: 'unavailable', wait_s: waitS };
      ledger.violation(`${operation} of a file was returned ${answer.status}: ${String(bytes).slice(0, 200)}`);
      return { outcome: answer.status >= 500 ? 'server_error' : 'refused' };
    } catch (error) {
      return { outcome: lost(error) };
    }
  };
}

function lost(error: unknown): Outcome {
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'network';
}
