/** The demo's runner: numbered steps, their requests with status, and assertions. */
import { deepStrictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';

/** One step; throws as soon as an expectation fails. */
export interface Step {
  title: string;
  run(trip: Trip): Promise<void>;
}

export interface StepResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each step knows the shape of its response, and checks what it uses.
  body: any;
}

/** Shared state: earlier steps set what later ones need. */
export interface Trip {
  base_url: string;
  client_id: string;
  password: string;
  /** Part of every generated email address, so that the demo can be repeated. */
  run_id: string;
  outbox: string;
  company_id: string;
  tokens: { admin: string; manager: string; employee: string };
  /** Collaborators created by this run, from the API's responses. */
  created: { id: string; email: string; [field: string]: unknown }[];
  /** The invited person among them: the emailed link, and their token at the end. */
  guest: { id: string; email: string; link: string; token: string };
  /** The app that this run registers, and its installation, which is added later. */
  app: { client_id: string; client_secret: string; installation: { id: string; token: string } };
  /** Sends a request, prints it, and fails on an unexpected status. */
  request(method: Method, path: string, options: RequestOptions): Promise<StepResponse>;
  print(line: string): void;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  token?: string;
  body?: unknown;
  /** multipart/form-data instead of a JSON body. */
  form?: FormData;
  headers?: Record<string, string>;
  status: number;
  /** Omit to send no company. */
  company_id?: string;
}

type Start = Pick<Trip, 'base_url' | 'client_id' | 'password' | 'run_id' | 'outbox'>;

/** The message names the step and the failed expectation. */
export class StepFailed extends Error {
  override name = 'StepFailed';
}

/** @throws an error that names the failed expectation */
export function expect(label: string, actual: unknown, expected: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch {
    throw new Error(`${label} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(actual)}`);
  }
}

/** Runs the steps in order. @throws StepFailed */
export async function playStory(steps: Step[], start: Start): Promise<void> {
  const trip: Trip = {
    ...start,
    company_id: '',
    tokens: { admin: '', manager: '', employee: '' },
    created: [],
    guest: { id: '', email: '', link: '', token: '' },
    app: { client_id: '', client_secret: '', installation: { id: '', token: '' } },
    request: (method, path, options) => request(trip, method, path, options),
    print: (line) => console.log(`   ${line}`),
  };
  for (const [i, step] of steps.entries()) {
    console.log(`\n${i + 1}. ${step.title}`);
    try {
      await step.run(trip);
    } catch (cause) {
      throw new StepFailed(`step ${i + 1} (${step.title}) failed: ${(cause as Error).message}`, { cause });
    }
  }
}

/** Waits when rate limited: running the demo twice within a minute may exceed a limit. */
async function request(trip: Trip, method: string, path: string, options: RequestOptions): Promise<StepResponse> {
  const response = await send(trip, method, path, options);
  const waitS = response.status === 429 && options.status !== 429 ? Number(response.headers.get('retry-after')) : 0;
  if (waitS === 0) return checked(trip, response, options.status);
  trip.print(`${method} ${path} → 429: that was much for a minute, so wait ${waitS} seconds`);
  await sleep(waitS * 1000);
  return checked(trip, await send(trip, method, path, options), options.status);
}

interface SentRequest extends StepResponse {
  requestLine: string;
}

async function send(
  { base_url: baseUrl }: Trip,
  method: string,
  path: string,
  { token, body, form, headers, company_id: companyId }: RequestOptions,
): Promise<SentRequest> {
  const url = new URL(path, `${baseUrl}/`);
  const httpResponse = await fetch(url, {
    method,
    signal: AbortSignal.timeout(10_000),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(companyId && { 'x-company-id': companyId }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const requestLine = `${method} ${url.pathname}${url.search}`;
  return {
    requestLine,
    status: httpResponse.status,
    headers: httpResponse.headers,
    body: JSON.parse(await httpResponse.text()),
  };
}

function checked({ print }: Trip, { requestLine, ...response }: SentRequest, status: number): StepResponse {
  print(`${requestLine} → ${response.status}`);
  expect(`the status of ${requestLine} (${JSON.stringify(response.body).slice(0, 500)})`, response.status, status);
  return response;
}
