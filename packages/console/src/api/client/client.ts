/** API client, typed by the contract; error responses are thrown as a `ApiError`. */
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../../../../generated/api.ts';
import { accessToken, renewToken } from './sign-in.ts';
import { recentSignIn } from './step-up.ts';

export type Schemas = components['schemas'];

/** An error response, in the contract's format. */
export class ApiError extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: Schemas['ErrorDetails'] | undefined;
  /** Correlates with the operator's logs. */
  readonly request_id: string;
  /** From Retry-After, in seconds. */
  readonly retry_after_s: number | undefined;

  constructor(answer: Response, body: Partial<Schemas['ApiError']>) {
    super(body.message ?? `${answer.status} ${answer.statusText}`);
    this.status = answer.status;
    this.code = body.error ?? 'unknown';
    this.details = body.details;
    this.request_id = answer.headers.get('x-request-id') ?? '';
    const wait = answer.headers.get('retry-after');
    this.retry_after_s = wait === null ? undefined : Number(wait);
  }

  /** Errors of a field and everything nested in it. */
  errorsUnder(field: string): string | undefined {
    const names = Object.keys((this.details ?? {}) as object).filter(
      (name) => name === field || name.startsWith(`${field}.`),
    );
    return (
      names
        .map((name) => `${name === field ? '' : `${name.slice(field.length + 1)}: `}${this.fieldError(name) ?? ''}`)
        .join(' ') || undefined
    );
  }

  /** Localized error of a form field. */
  fieldError(field: string): string | undefined {
    const found = (this.details as Record<string, unknown> | undefined)?.[field];
    return Array.isArray(found) ? found.map(({ message }: { message: string }) => message).join(' ') : undefined;
  }
}

/** Copies of requests with side effects, for a retry: a Request's body can be sent only once. */
const unsent = new WeakMap<Request, Request>();

/**
 * Adds the access token; retries a GET once with a new token after a 401. A request that requires a recent sign-in (RFC 9470)
 * waits for it, then is retried.
 */
const signed: Middleware = {
  async onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${await accessToken()}`);
    request.headers.set('Accept-Language', document.documentElement.lang);
    const hasFiles = request.headers.get('Content-Type')?.startsWith('multipart/') ?? false;
    if (request.method !== 'GET' && !hasFiles) unsent.set(request, request.clone());
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok || response.status === 304) return undefined;
    const token = request.headers.get('Authorization')!.slice('Bearer '.length);
    const body = (await response
      .clone()
      .json()
      .catch(() => ({}))) as Partial<Schemas['ApiError']>;
    const asksSignIn = body.error === 'insufficient_user_authentication';
    if (response.status === 401 && !asksSignIn && request.method === 'GET') {
      return sentAgain(request, await renewToken(token));
    }
    const spare = asksSignIn && unsent.get(request);
    // Reads never open the sign-in dialog; a button next to the hidden value does.
    if (spare && (await recentSignIn(body.message ?? '', body.details ?? {}))) {
      return sentAgain(spare, await accessToken());
    }
    throw new ApiError(response, body);
  },
};

async function sentAgain(request: Request, token: string): Promise<Response> {
  const again = new Request(request, { headers: new Headers(request.headers) });
  again.headers.set('Authorization', `Bearer ${token}`);
  const second = await fetch(again);
  if (second.ok) return second;
  throw new ApiError(second, await second.json().catch(() => ({})));
}

/** Serializes objects as `a[b]=c` and `a[b][gte]=c`, which the client's own serializer does not support. */
function queryOf(query: Record<string, unknown>): string {
  const pairs = (name: string, value: unknown): string[] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.flatMap((each) => pairs(name, each));
    if (typeof value !== 'object') return [`${name}=${encodeURIComponent(String(value))}`];
    return Object.entries(value).flatMap(([key, each]) => pairs(`${name}[${encodeURIComponent(key)}]`, each));
  };
  return Object.entries(query)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&');
}

export const api = createClient<paths>({ baseUrl: location.origin, querySerializer: queryOf });
api.use(signed);

export const inCompany = (company: string) => ({ 'X-Company-Id': company });

/** Adds an idempotency key, new for each user action, so that retries are safe. */
export const once = (company: string) => ({ ...inCompany(company), 'Idempotency-Key': crypto.randomUUID() });

/** Conditional update. Some proxies strip the ETag of a response; then the update is unconditional. */
export const onlyIf = (etag: string | null) => (etag === null ? {} : { 'If-Match': etag });

export async function bodyOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** Sends FormData as it is: the contract types its file parts as strings. */
export const asForm = { bodySerializer: (body: unknown) => body as FormData };
