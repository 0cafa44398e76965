// A client as the guides tell integrators to write one: every POST and PATCH has an Idempotency-Key, what got no answer or
// a 503 is sent again with the same key after a growing wait, and an access token is refreshed when it has expired.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrantEnded, refreshTokens, type Server, type Tokens } from '../../../src/api/cli/oauth.ts';
import type { Ledger, Outcome } from './ledger.ts';
import type { Random } from './random.ts';

const answer_timeout_ms = 20_000;
const most_tries = 9;
const longest_wait_ms = 6_000;
/** Before the end of a token, so that it does not end on the way. */
const early_ms = 2_000;
/** How long a refresh token may be sent again after it was used, a little less than the service allows. */
const reuse_window_ms = 55_000;

export interface ClientOptions {
  base_url: string;
  company_id: string;
  server: Server;
  client_id: string;
  tokens: Tokens;
  ledger: Ledger;
  random: Random;
  /** Signs in anew. */
  signIn(): Promise<Tokens>;
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

export function createClient(options: ClientOptions): Client {
  const { base_url, company_id, server, client_id, ledger, random } = options;
  let { tokens } = options;
  let expires_ms = performance.now() + (tokens.expires_in ?? 60) * 1_000 - early_ms;

  /** When this refresh token was sent for the first time; it stays good for a minute after it was used. */
  let first_sent_ms: number | undefined;
  let signed_out = false;

  function take(fresh: Tokens): void {
    tokens = fresh;
    expires_ms = performance.now() + (fresh.expires_in ?? 60) * 1_000 - early_ms;
    first_sent_ms = undefined;
    signed_out = false;
  }

  /** @returns whether there is a good access token */
  async function refresh(): Promise<boolean> {
    const started_ms = performance.now();
    first_sent_ms ??= started_ms;
    const count = (outcome: Outcome) =>
      ledger.attempts.push({ operation: 'refresh', outcome, started_ms, ended_ms: performance.now() });
    try {
      take(signed_out ? await options.signIn() : await refreshTokens(server, client_id, tokens.refresh_token!));
      count('ok');
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof GrantEnded) {
        const after_ms = started_ms - first_sent_ms;
        // Sent again later than that, it is taken for a stolen one: the person signs in again, as the guide says.
        const is_expected = after_ms > reuse_window_ms;
        count(is_expected ? 'expected' : 'refused');
        if (!is_expected) {
          const after_s = (after_ms / 1_000).toFixed(1);
          ledger.violation(`a refresh token was refused ${after_s} s after it was sent first: ${message}`);
        }
        signed_out = true;
      } else count(/temporarily_unavailable|HTTP status code/.test(message) ? 'unavailable' : 'network');
      return false;
    }
  }

  async function persistently<T>(
    operation: string,
    attempt: (
      token: string,
      request_id: string,
    ) => Promise<{ outcome: Outcome; value?: T; wait_s?: number; expired?: boolean }>,
  ): Promise<{ value: T; tries: number } | undefined> {
    const first_ms = performance.now();
    for (let tries = 1; tries <= most_tries; tries++) {
      const started_ms = performance.now();
      if (started_ms > expires_ms && !(await refresh())) {
        await pause(tries, 0);
        continue;
      }
      const request_id = randomUUID();
      const { outcome, value, wait_s = 0, expired } = await attempt(tokens.access_token, request_id);
      const ended_ms = performance.now();
      ledger.attempts.push({ operation, outcome, started_ms, ended_ms, request_id });
      if (expired) expires_ms = 0;
      else if (value !== undefined) {
        ledger.answered.push({ operation, ms: ended_ms - first_ms, tries });
        return { value, tries };
      } else await pause(tries, wait_s);
    }
    ledger.given_up.push({ operation, at_ms: performance.now() });
    return undefined;
  }

  async function pause(tries: number, told_s: number): Promise<void> {
    const own_ms = Math.min(2 ** tries * 125, longest_wait_ms) * (0.75 + random.next() / 2);
    await sleep(Math.max(told_s * 1_000, own_ms));
  }

  return {
    company_id,
    async send(operation, { method, path, json, form, expected = [] }) {
      const key = method === 'POST' || method === 'PATCH' ? randomUUID() : undefined;
      let unsure = false;
      const done = await persistently<Answer>(operation, async (token, request_id) => {
        const repeated = unsure;
        let answer: Response;
        let text: string;
        try {
          answer = await fetch(`${base_url}${path}`, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              'x-company-id': company_id,
              'x-request-id': request_id,
              ...(key && { 'idempotency-key': key }),
              ...(json !== undefined && { 'content-type': 'application/json' }),
            },
            body: form ? form() : json === undefined ? null : JSON.stringify(json),
            signal: AbortSignal.timeout(answer_timeout_ms),
          });
          text = await answer.text();
        } catch (error) {
          unsure = true;
          return { outcome: lost(error) };
        }
        const { status } = answer;
        const wait_s = Number(answer.headers.get('retry-after') ?? 0);
        const body = text === '' ? undefined : JSON.parse(text);
        if (status === 401 && body.error === 'token_expired') return { outcome: 'expected', expired: true };
        if (status === 409 && body.error === 'idempotency_in_progress') return { outcome: 'expected', wait_s };
        if (status === 429) return { outcome: 'expected', wait_s };
        if (status >= 500) {
          unsure = true;
          if (status !== 503) ledger.violation(`${operation} was answered ${status}: ${text.slice(0, 300)}`);
          return { outcome: status === 503 ? 'unavailable' : 'server_error', wait_s };
        }
        const value = { status, body, repeated };
        if (status < 400) return { outcome: 'ok', value };
        if (expected.includes(status)) return { outcome: 'expected', value };
        ledger.violation(`${operation} ${path} was answered ${status}: ${text.slice(0, 300)}`);
        return { outcome: 'refused', value };
      });
      return done?.value;
    },
    async download(operation, url) {
      const done = await persistently<Buffer>(operation, async (_token, request_id) => {
        try {
          const headers = { 'x-request-id': request_id };
          const answer = await fetch(url, { headers, signal: AbortSignal.timeout(answer_timeout_ms) });
          const bytes = Buffer.from(await answer.arrayBuffer());
          const wait_s = Number(answer.headers.get('retry-after') ?? 0);
          if (answer.status === 200) return { outcome: 'ok', value: bytes };
          if (answer.status === 202) return { outcome: 'expected', wait_s };
          if (answer.status === 503) return { outcome: 'unavailable', wait_s };
          ledger.violation(`${operation} of a file was answered ${answer.status}: ${String(bytes).slice(0, 200)}`);
          return { outcome: answer.status >= 500 ? 'server_error' : 'refused', value: undefined };
        } catch (error) {
          return { outcome: lost(error) };
        }
      });
      return done?.value;
    },
  };
}

function lost(error: unknown): Outcome {
  return (error as Error).name === 'TimeoutError' ? 'timeout' : 'network';
}
