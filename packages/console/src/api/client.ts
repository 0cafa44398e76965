/** Requests to the API, typed by the contract; whatever is refused is thrown as a `Refusal`. */
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../../../generated/api.ts';
import { accessToken, anotherToken } from './sign-in.ts';
import { recentSignIn } from './step-up.ts';

export type Schemas = components['schemas'];

/** An answer of the API that is an error: in the contract's form. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  /** One of the contract's error codes. */
  readonly code: string;
  readonly details: Schemas['ErrorDetails'] | undefined;
  /** By which the operator finds it in the log. */
  readonly request_id: string;
  /** In seconds, where the service says when to try again. */
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

  /** What is wrong with a field, or with anything in it. */
  faultsUnder(field: string): string | undefined {
    const names = Object.keys((this.details ?? {}) as object).filter(
      (name) => name === field || name.startsWith(`${field}.`),
    );
    return (
      names
        .map((name) => `${name === field ? '' : `${name.slice(field.length + 1)}: `}${this.fault(name) ?? ''}`)
        .join(' ') || undefined
    );
  }

  /** What is wrong with a field of the form, in the reader's language. */
  fault(field: string): string | undefined {
    const found = (this.details as Record<string, unknown> | undefined)?.[field];
    return Array.isArray(found) ? found.map(({ message }: { message: string }) => message).join(' ') : undefined;
  }
}

/** What changes something, as it was before it was sent: what is sent can not be sent a second time. */
const unsent = new WeakMap<Request, Request>();

/**
 * Signs each request, once more with a new token when the first is refused. What asks for a recent sign-in (RFC 9470) waits for
 * one, and is sent again.
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
      return sentAgain(request, await anotherToken(token));
    }
    const spare = asksSignIn && unsent.get(request);
    // What is read in the background opens no window: where it is shown, a button does.
    if (spare && (await recentSignIn(body.message ?? '', body.details ?? {}))) {
      return sentAgain(spare, await accessToken());
    }
    throw new Refusal(response, body);
  },
};

async function sentAgain(request: Request, token: string): Promise<Response> {
  const again = new Request(request, { headers: new Headers(request.headers) });
  again.headers.set('Authorization', `Bearer ${token}`);
  const second = await fetch(again);
  if (second.ok) return second;
  throw new Refusal(second, await second.json().catch(() => ({})));
}

/** Objects as `a[b]=c` and `a[b][gte]=c`: more than the client's own serializer can write. */
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

/** The company that a request is for. */
export const inCompany = (company: string) => ({ 'X-Company-Id': company });

/** The same for what changes something: repeated, it is done once. Each time the person asks there is a new key. */
export const once = (company: string) => ({ ...inCompany(company), 'Idempotency-Key': crypto.randomUUID() });

/** Changes that version alone. Some proxies drop the tag of an answer; then what is there is changed, whatever it is. */
export const onlyIf = (etag: string | null) => (etag === null ? {} : { 'If-Match': etag });

/** The body of an answer; errors were thrown before. */
export async function bodyOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** The form as a browser sends it: its parts are typed by the contract, which has a text where the file is. */
export const asForm = { bodySerializer: (body: unknown) => body as FormData };
