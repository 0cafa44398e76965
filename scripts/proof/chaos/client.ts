// A client as the guides tell integrators to write one: every POST and PATCH has an Idempotency-Key, what got no answer or
// a 503 is sent again with the same key after a growing wait, and an access token is refreshed when it has expired.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../random/random.ts';
import type { Ledger, Outcome } from './ledger.ts';
import { TokenKeeper, type TokenKeeperOptions } from './token-keeper.ts';

const answerTimeoutMs = 20_000;
const mostTries = 9;
const longestWaitMs = 6_000;

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
  /** Statuses above 399 that this request may be answered with. */
  expected?: readonly number[];
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all operations, of which each caller knows its own
  body: any;
  /** Whether an attempt before this one may have been carried out without our hearing of it. */
  repeated: boolean;
}

export interface Client {
  company_id: string;
  /** @returns undefined when it was given up without an answer: it may have been carried out, once */
  send(operation: string, request: Send): Promise<Answer | undefined>;
  /** The bytes behind a link to a file; undefined when it was given up. */
  download(operation: string, url: string): Promise<Buffer | undefined>;
}

/** What came of one try. With a value it was the last one. */
interface Tried<T> {
  outcome: Outcome;
  value?: T | undefined;
  /** What the service asked to wait, in seconds. */
  wait_s?: number;
  /** The access token has ended. */
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

/** @returns undefined when it was given up */
async function persistently<T>(
  { ledger, random }: ClientOptions,
  tokens: TokenKeeper,
  operation: string,
  attempt: Try<T>,
): Promise<T | undefined> {
  const pause = async (tries: number, toldS: number) => {
    const ownMs = Math.min(2 ** tries * 125, longestWaitMs) * (0.75 + random.next() / 2);
    await sleep(Math.max(toldS * 1_000, ownMs));
  };
  const firstMs = performance.now();
  for (let tries = 1; tries <= mostTries; tries++) {
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

/** Each try has the same key, so that the request is carried out once. */
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
      ledger.violation(`${operation} of a file was answered ${answer.status}: ${String(bytes).slice(0, 200)}`);
      return { outcome: answer.status >= 500 ? 'server_error' : 'refused' };
    } catch (error) {
      return { outcome: lost(error) };
    }
  };
}

function lost(error: unknown): Outcome {
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'network';
}
