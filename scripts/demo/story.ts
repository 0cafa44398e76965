/** How the demo tells what it does: numbered steps, the requests of each with their status, and what must be true. */
import { deepStrictEqual } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';

/** One step: what it is about, and what it does. It throws as soon as something is not as it should be. */
export interface Step {
  title: string;
  run(trip: Trip): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each step knows the shape of its answer, and checks what it uses.
  body: any;
}

/** What the steps share. Early steps put in what later ones need. */
export interface Trip {
  base_url: string;
  client_id: string;
  /** Of all demo accounts. */
  password: string;
  /** Part of every address that this run makes up, so that the demo can run again. */
  run_id: string;
  /** Where the service keeps the mails it would send. */
  outbox: string;
  company_id: string;
  tokens: { admin: string; manager: string; employee: string };
  /** The collaborators made by this run, as the API answered. */
  created: { id: string; email: string; [field: string]: unknown }[];
  /** The one of them who was invited: the mailed link, and the token they got with it in the end. */
  guest: { id: string; email: string; link: string; token: string };
  /** The app that this run registers; from later on, whoever it acts for as an installation. */
  app: { client_id: string; client_secret: string; installation: { id: string; token: string } };
  /** Sends a request, tells about it, and fails on another status than the expected one. */
  request(method: Method, path: string, options: RequestOptions): Promise<Answer>;
  say(line: string): void;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  token?: string;
  body?: unknown;
  /** In place of a body: what is sent as multipart/form-data. */
  form?: FormData;
  headers?: Record<string, string>;
  status: number;
  /** Without it no company is named. */
  company_id?: string;
}

type Start = Pick<Trip, 'base_url' | 'client_id' | 'password' | 'run_id' | 'outbox'>;

/** Its message names the step, and what was not as it should be. */
export class StepFailed extends Error {
  override name = 'StepFailed';
}

/** @throws an error that names what is not as it should be */
export function expect(what: string, actual: unknown, expected: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch {
    throw new Error(`${what} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(actual)}`);
  }
}

/**
 * Takes the steps one after the other.
 * @throws StepFailed
 */
export async function tellStory(steps: Step[], start: Start): Promise<void> {
  const trip: Trip = {
    ...start,
    company_id: '',
    tokens: { admin: '', manager: '', employee: '' },
    created: [],
    guest: { id: '', email: '', link: '', token: '' },
    app: { client_id: '', client_secret: '', installation: { id: '', token: '' } },
    request: (method, path, options) => request(trip, method, path, options),
    say: (line) => console.log(`   ${line}`),
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

/** Waits as long as the service says when a limit of requests is used up: by this story, told twice in a minute. */
async function request(trip: Trip, method: string, path: string, options: RequestOptions): Promise<Answer> {
  const answer = await send(trip, method, path, options);
  const waitS = answer.status === 429 && options.status !== 429 ? Number(answer.headers.get('retry-after')) : 0;
  if (waitS === 0) return checked(trip, answer, options.status);
  trip.say(`${method} ${path} → 429: that was much for a minute, so wait ${waitS} seconds`);
  await sleep(waitS * 1000);
  return checked(trip, await send(trip, method, path, options), options.status);
}

interface Sent extends Answer {
  asked: string;
}

async function send(
  { base_url: baseUrl }: Trip,
  method: string,
  path: string,
  { token, body, form, headers, company_id: companyId }: RequestOptions,
): Promise<Sent> {
  const url = new URL(path, `${baseUrl}/`);
  const response = await fetch(url, {
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
  const asked = `${method} ${url.pathname}${url.search}`;
  return { asked, status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

function checked({ say }: Trip, { asked, ...answer }: Sent, status: number): Answer {
  say(`${asked} → ${answer.status}`);
  expect(`the status of ${asked} (${JSON.stringify(answer.body).slice(0, 500)})`, answer.status, status);
  return answer;
}
