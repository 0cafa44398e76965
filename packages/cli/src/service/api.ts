/** API client for commands: uses the stored sign-in, and acts for one company. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AddressOptions, serviceAddress } from '../account/address.ts';
import { findCompany, onlyCompany, readAccount } from '../account/companies.ts';
import { explainNetworkError } from '../account/network-error.ts';
import { currentSignIn } from '../account/token.ts';
import type { CliContext } from '../terminal/context.ts';
import { toCliError } from './api-error.ts';

export interface ApiOptions extends AddressOptions {
  /** Id or name of the company; optional with a default company, or with only one. */
  company?: string;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Api {
  base_url: string;
  /**
   * Sends a `/v1` request for the company. Retries on 429, and GET requests on 503, when the service says so.
   * @throws CliError with the service's message for any error response; without a sign-in or company
   */
  request<T>(method: Method, path: string, options?: RequestOptions): Promise<ApiResponse<T>>;
  /** Sends a request to any path, and returns any response as it is. */
  send(request: ApiRequest): Promise<Response>;
}

export interface RequestOptions {
  form?: FormData | undefined;
  json?: object | undefined;
  /** Aborts the request, which then throws the signal's reason. */
  signal?: AbortSignal;
}

export interface ApiRequest {
  method: string;
  /** Path and query, with the leading slash. */
  path: string;
  headers?: Record<string, string>;
  body?: FormData | string | undefined;
  signal?: AbortSignal | undefined;
}

export interface ApiResponse<T> {
  headers: Headers;
  body: T;
}

const responseTimeoutMs = 120_000;
const maxWaitS = 60;
const maxAttempts = 10;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function openApi(context: CliContext, options: ApiOptions): Promise<Api> {
  const baseUrl = await serviceAddress(context, options);
  // Resolved lazily: not every path needs a company.
  let company: Promise<string> | undefined;
  const send = async (request: ApiRequest) => {
    if (!/^\/(v1|mcp)/.test(request.path)) return sendWithRetry(context, baseUrl, {}, request);
    company ??= companyOf(context, baseUrl, options);
    return sendWithRetry(context, baseUrl, { 'x-company-id': await company }, request);
  };
  return {
    base_url: baseUrl,
    send,
    async request<T>(method: Method, path: string, { form, json, signal }: RequestOptions = {}) {
      const body = json ? JSON.stringify(json) : form;
      const headers = json && { 'content-type': 'application/json' };
      const response = await send({ method, path, body, ...(headers && { headers }), signal });
      if (!response.ok) throw await toCliError(context, baseUrl, response);
      return { headers: response.headers, body: (await response.json()) as T };
    },
  };
}

/** Precedence: option, COMPANY_ID, stored sign-in, the only company. */
async function companyOf(context: CliContext, baseUrl: string, { company }: ApiOptions): Promise<string> {
  const idOrName = company ?? (context.environment.COMPANY_ID || undefined);
  if (idOrName !== undefined && uuidPattern.test(idOrName)) return idOrName;
  const signIn = await currentSignIn(context, baseUrl);
  if (idOrName === undefined && signIn.company_id !== undefined) return signIn.company_id;
  const { companies } = await readAccount(baseUrl, signIn.access_token);
  return (idOrName === undefined ? onlyCompany(companies, context.program) : findCompany(companies, idOrName)).id;
}

async function sendWithRetry(
  context: CliContext,
  baseUrl: string,
  company: Record<string, string>,
  request: ApiRequest,
): Promise<Response> {
  const { method, path, signal } = request;
  for (let attempts = 1; ; attempts++) {
    // Read for each request: a long import outlives an access token.
    const { access_token: accessToken } = await currentSignIn(context, baseUrl);
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...company, ...request.headers, authorization: `Bearer ${accessToken}` },
      body: request.body ?? null,
      signal: AbortSignal.any([AbortSignal.timeout(responseTimeoutMs), ...(signal ? [signal] : [])]),
      redirect: 'error',
    }).catch((error) => {
      throw signal?.aborted ? signal.reason : explainNetworkError(baseUrl, error, responseTimeoutMs);
    });
    const waitS = Number(response.headers.get('retry-after'));
    const isTransient = response.status === 429 || (response.status === 503 && method === 'GET');
    if (!isTransient || !(waitS > 0 && waitS <= maxWaitS) || attempts >= maxAttempts) return response;
    await response.body?.cancel();
    await sleep(waitS * 1000, undefined, { signal }).catch(() => signal!.throwIfAborted());
  }
}
