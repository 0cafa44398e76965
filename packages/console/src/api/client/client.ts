/** API client, typed by the contract; error responses are thrown as a `ApiError`. */
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../../../../generated/api.ts';
import { accessToken, renewToken } from './sign-in.ts';
import { requestRecentSignIn } from './step-up.ts';

export type Schemas = components['schemas'];

/** An error response, in the contract's format. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Schemas['ErrorDetails'] | undefined;
  /** Correlates with the operator's logs. */
  readonly request_id: string;
  /** From Retry-After, in seconds. */
  readonly retry_after_s: number | undefined;

  constructor(reply: Response, body: Partial<Schemas['ApiError']>) {
    super(body.message ?? `${reply.status} ${reply.statusText}`);
    this.status = reply.status;
    this.code = body.error ?? 'unknown';
    this.details = body.details;
    this.request_id = reply.headers.get('x-request-id') ?? '';
    const retryAfter = reply.headers.get('retry-after');
    this.retry_after_s = retryAfter === null ? undefined : Number(retryAfter);
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
const retryCopies = new WeakMap<Request, Request>();

/**
 * Adds the access token; retries a GET once with a new token after a 401. A request that requires a recent sign-in (RFC 9470)
 * waits for it, then is retried.
 */
const authentication: Middleware = {
  async onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${await accessToken()}`);
    request.headers.set('Accept-Language', document.documentElement.lang);
    const hasFiles = request.headers.get('Content-Type')?.startsWith('multipart/') ?? false;
    if (request.method !== 'GET' && !hasFiles) retryCopies.set(request, request.clone());
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok || response.status === 304) return undefined;
    const token = request.headers.get('Authorization')!.slice('Bearer '.length);
    const body = (await response
      .clone()
      .json()
      .catch(() => ({}))) as Partial<Schemas['ApiError']>;
    const requiresSignIn = body.error === 'insufficient_user_authentication';
    if (response.status === 401 && !requiresSignIn && request.method === 'GET') {
      return resend(request, await renewToken(token));
    }
    const retryCopy = requiresSignIn && retryCopies.get(request);
    // Reads never open the sign-in dialog; a button next to the hidden value does.
    if (retryCopy && (await requestRecentSignIn(body.message ?? '', body.details ?? {}))) {
      return resend(retryCopy, await accessToken());
    }
    throw new ApiError(response, body);
  },
};

async function resend(request: Request, token: string): Promise<Response> {
  const retry = new Request(request, { headers: new Headers(request.headers) });
  retry.headers.set('Authorization', `Bearer ${token}`);
  const retryResponse = await fetch(retry);
  if (retryResponse.ok) return retryResponse;
  throw new ApiError(retryResponse, await retryResponse.json().catch(() => ({})));
}

/** Serializes objects as `a[b]=c` and `a[b][gte]=c`, which the client's own serializer does not support. */
function serializeQuery(query: Record<string, unknown>): string {
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

export const api = createClient<paths>({ baseUrl: location.origin, querySerializer: serializeQuery });
api.use(authentication);

export const inCompany = (company: string) => ({ 'X-Company-Id': company });

/** Adds an idempotency key, new for each user action, so that retries are safe. */
export const withIdempotencyKey = (company: string) => ({
  ...inCompany(company),
  'Idempotency-Key': crypto.randomUUID(),
});

/** Conditional update. Some proxies strip the ETag of a response; then the update is unconditional. */
export const ifMatch = (etag: string | null) => (etag === null ? {} : { 'If-Match': etag });

export async function bodyOf<T>(reply: Promise<{ data?: T }>): Promise<T> {
  return (await reply).data as T;
}

/** Sends FormData as it is: the contract types its file parts as strings. */
export const asForm = { bodySerializer: (body: unknown) => body as FormData };
