/** The API as commands use it: with the sign-in that `login` stored, for one company. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../../generated/api.ts';
import type { Environment } from '../../platform/config/development.ts';
import { type AddressOptions, serviceAddress } from './address.ts';
import { Failure } from './failure.ts';
import { currentSignIn } from './token.ts';

export interface ApiOptions extends AddressOptions {
  /** Id of the company to act for; can be left out by who is in one only. */
  company?: string;
}

export interface Api {
  base_url: string;
  /**
   * Sends a request to `/v1` for the company. One that is refused because there were too many, or a GET because the
   * service is unavailable, is sent again when the service says so.
   * @throws Failure in the words of the service for any answer that is no success
   */
  request<T>(method: 'GET' | 'POST', path: string, options?: RequestOptions): Promise<ApiAnswer<T>>;
}

export interface RequestOptions {
  form?: FormData;
  /** Ends the request, which then throws the signal's reason. */
  signal?: AbortSignal;
}

export interface ApiAnswer<T> {
  headers: Headers;
  body: T;
}

const answer_timeout_ms = 120_000;
const longest_wait_s = 60;
const most_tries = 10;

/** @throws Failure when there is no sign-in, or no company to act for */
export async function openApi(environment: Environment, options: ApiOptions): Promise<Api> {
  const base_url = await serviceAddress(environment, options);
  const send = async (method: string, path: string, headers: Record<string, string>, sent: RequestOptions) => {
    // Asked for each time: a long import outlives an access token.
    const { access_token } = await currentSignIn(environment, base_url);
    const signals = [AbortSignal.timeout(answer_timeout_ms), ...(sent.signal ? [sent.signal] : [])];
    return fetch(base_url + path, {
      method,
      headers: { authorization: `Bearer ${access_token}`, ...headers },
      body: sent.form ?? null,
      signal: AbortSignal.any(signals),
      redirect: 'error',
    }).catch((error) => {
      throw sent.signal?.aborted ? sent.signal.reason : unanswered(base_url, error);
    });
  };
  const answered = async <T>(method: string, path: string, headers: Record<string, string>, sent: RequestOptions) => {
    for (let tries = 1; ; tries++) {
      const response = await send(method, path, headers, sent);
      const wait_s = Number(response.headers.get('retry-after'));
      const is_passing = response.status === 429 || (response.status === 503 && method === 'GET');
      if (is_passing && wait_s > 0 && wait_s <= longest_wait_s && tries < most_tries) {
        await response.body?.cancel();
        await sleep(wait_s * 1000, undefined, { signal: sent.signal }).catch(() => sent.signal!.throwIfAborted());
        continue;
      }
      if (!response.ok) throw await refused(base_url, response);
      return { headers: response.headers, body: (await response.json()) as T };
    }
  };
  const company_id = options.company ?? (await onlyCompany(() => answered('GET', '/auth/user', {}, {})));
  return {
    base_url,
    request: (method, path, sent = {}) => answered(method, path, { 'x-company-id': company_id }, sent),
  };
}

async function onlyCompany(read: () => Promise<ApiAnswer<components['schemas']['AuthUser']>>): Promise<string> {
  const { companies } = (await read()).body;
  if (companies.length === 1) return companies[0]!.id;
  if (companies.length === 0) throw new Failure('this sign-in gives access to no company');
  const list = companies.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new Failure(`which company? Give --company with one of ${list}`, 2);
}

/** The words of the service in one line; what is wrong with single fields, behind it. */
async function refused(base_url: string, response: Response): Promise<Failure> {
  const text = await response.text();
  let body: Partial<components['schemas']['ApiError']> = {};
  try {
    body = JSON.parse(text);
  } catch {
    // a proxy in between, or another service
  }
  if (!body.error) return new Failure(`${base_url} answered ${response.status}: is this the address of the service?`);
  const faults = Object.entries(body.details ?? {}).flatMap(([field, list]) =>
    Array.isArray(list) && typeof list[0] === 'object'
      ? [`${field}: ${list.map(({ message }: { message: string }) => message).join(' ')}`]
      : [],
  );
  const scopes = (body.details as components['schemas']['ErrorDetails'] | undefined)?.required_scopes;
  if (scopes) faults.push(`needs ${scopes.join(', ')}: sign in again with \`login --scope\``);
  return new Failure(`${body.message} (${[body.error, ...faults].join('; ')})`);
}

function unanswered(base_url: string, error: Error & { cause?: NodeJS.ErrnoException }): Error {
  if (error.name === 'TimeoutError') {
    return new Failure(`${base_url} did not answer within ${answer_timeout_ms / 1000} s`);
  }
  if (!error.cause) return error;
  return new Failure(`${base_url} gave no answer (${error.cause.code ?? error.cause.message})`);
}
