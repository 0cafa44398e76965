/** `api`: sends any request, signed in and for the company, and prints the raw response. */
import { randomUUID } from 'node:crypto';
import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { type OutputOptions, printJson, printText } from '../terminal/output.ts';
import { jsonText, printable } from '../terminal/printable.ts';
import { type Api, type ApiOptions, type ApiRequest, openApi } from './api.ts';
import { apiError } from './api-error.ts';
import { readData } from './request-data.ts';

/** Order is significant. */
type Pairs = [name: string, value: string][];

export interface RequestCommandOptions extends ApiOptions, OutputOptions {
  field?: Pairs;
  jsonField?: Pairs;
  /** JSON, `@file`, or `-`. */
  data?: string;
  header?: string[];
  include?: boolean;
  paginate?: boolean;
}

interface Page {
  data: unknown[];
  pagination: { nextCursor: string | null };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
/** Methods without a body: their fields go into the query. */
const bodylessMethods = ['GET', 'HEAD', 'DELETE', 'OPTIONS'];

/** @throws CliError when the status is not 2xx, after printing the response */
export async function sendRequest(
  context: CliContext,
  first: string,
  second: string | undefined,
  options: RequestCommandOptions,
): Promise<void> {
  const request = await requestOf(context, first, second, options);
  const api = await openApi(context, options);
  await interruptible(async (signal) => {
    if (options.paginate) return printPages(api, { ...request, signal }, options);
    const response = await send(api, { ...request, signal });
    if (options.include) printHead(response);
    await printBody(response, options);
    if (!response.ok) throw new CliError(`${request.method} ${request.path} returned ${response.status}`);
  });
}

/** @throws CliError for wrong usage, before anything is sent */
export async function requestOf(
  context: CliContext,
  first: string,
  second: string | undefined,
  options: RequestCommandOptions,
): Promise<ApiRequest> {
  const { field = [], jsonField = [], data } = options;
  const hasFields = field.length + jsonField.length > 0;
  const method = second === undefined ? (hasFields || data !== undefined ? 'POST' : 'GET') : first.toUpperCase();
  const path = second ?? first;
  if (!methods.includes(method)) throw new CliError(`${first} is not a method: use one of ${methods.join(', ')}`, 2);
  if (!/^\/(?!\/)/.test(path))
    throw new CliError(`${path} is not a path: it must start with /, such as /v1/collaborators`, 2);
  if (hasFields && data !== undefined) throw new CliError("--data can't be combined with fields", 2);
  if (data !== undefined && bodylessMethods.includes(method))
    throw new CliError(`${method} has no body, so --data can't be used`, 2);
  if (options.paginate && method !== 'GET') throw new CliError('--paginate only works for lists with GET', 2);
  const headers = headersOf(options.header ?? []);
  if (method === 'POST') headers['idempotency-key'] ??= randomUUID();
  if (bodylessMethods.includes(method)) return { method, path: withQuery(path, [...field, ...jsonField]), headers };
  const body = data === undefined ? fieldsBody(field, jsonField) : await readData(context, data);
  if (body !== undefined) headers['content-type'] ??= 'application/json';
  return { method, path, headers, body };
}

/** Keyed by lowercase name. */
function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) throw new CliError(`${line} is not a header such as "Name: value"`, 2);
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function withQuery(path: string, pairs: Pairs): string {
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`;
}

function fieldsBody(texts: Pairs, values: Pairs): string | undefined {
  if (texts.length + values.length === 0) return undefined;
  const read = values.map(([name, text]) => {
    try {
      return [name, JSON.parse(text)];
    } catch {
      throw new CliError(`${name} is not JSON: ${text}; use -f for strings`, 2);
    }
  });
  return JSON.stringify(Object.fromEntries([...texts, ...read]));
}

/** When the outcome of a POST is unknown, the error names its idempotency key, so that a retry is safe. */
async function send(api: Api, request: ApiRequest): Promise<Response> {
  const key = request.headers?.['idempotency-key'];
  return api.send(request).catch((error) => {
    if (key === undefined || !(error instanceof CliError) || request.signal?.aborted) throw error;
    throw new CliError(`${error.message}; send it again with -H "Idempotency-Key: ${key}"`, error.exitCode);
  });
}

function printHead({ status, statusText, headers }: Response): void {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  printText([`HTTP ${status} ${statusText}`.trim(), ...lines, ''].join('\n'));
}

async function printBody(response: Response, { json }: OutputOptions): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  const content = Buffer.from(await response.arrayBuffer());
  if (content.length === 0) return;
  const isText = /^text\/|json|yaml|xml/.test(type);
  if (!isText && process.stdout.isTTY) {
    throw new CliError(`the response is a file (${type}, ${content.length} bytes): redirect it with > file`);
  }
  const { isTTY } = process.stdout;
  if (!/\bjson\b/.test(type)) return void process.stdout.write(isTTY ? printable(content.toString()) : content);
  const text = content.toString();
  if (isTTY || json) printJson(JSON.parse(text), 2);
  else console.log(text);
}

/** Prints all items of a list as one array, one page at a time. */
async function printPages(api: Api, request: ApiRequest, { json, include }: RequestCommandOptions): Promise<void> {
  const indent = process.stdout.isTTY || json ? 2 : undefined;
  let separator = '[';
  let path: string | undefined = withQuery(request.path, request.path.includes('limit=') ? [] : [['limit', '100']]);
  while (path !== undefined) {
    const response = await api.send({ ...request, path });
    const text = await response.text();
    if (include) printHead(response);
    if (!response.ok) throw new CliError(apiError(text)?.message ?? `${path} returned ${response.status}`);
    const page = JSON.parse(text) as Partial<Page>;
    if (!page.data || !page.pagination) throw new CliError(`${request.path} is not a list with a cursor`, 2);
    for (const item of page.data) {
      process.stdout.write(`${separator}\n${jsonText(item, indent)}`);
      separator = ',';
    }
    const { nextCursor } = page.pagination;
    path = nextCursor === null ? undefined : nextPath(path, nextCursor);
  }
  process.stdout.write(separator === '[' ? '[]\n' : '\n]\n');
}

function nextPath(path: string, cursor: string): string {
  const url = new URL(path, 'http://any');
  url.searchParams.set('cursor', cursor);
  return url.pathname + url.search;
}
