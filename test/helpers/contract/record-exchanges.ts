/**
 * Records requests and responses of tests for `make proof NAME=exchanges`: with EXCHANGES=<folder>, each process writes
 * a file there. Skips exchanges that resemble recorded ones, and very large bodies.
 */
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';

export interface RecordedExchange {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  /** Parsed JSON; undefined for other types. */
  request_body?: unknown;
  status: number;
  headers: Record<string, string>;
  body?: string;
}

/** Limit of similar exchanges. */
const maxSimilar = 3;
/** Limit per method, path, and status. */
const maxPerKind = 150;
const largestBodyBytes = 300_000;

/** Without EXCHANGES, returns the listener unchanged. */
export function recordExchanges(listener: RequestListener): RequestListener {
  const folder = process.env.EXCHANGES;
  if (!folder) return listener;
  const file = join(folder, `${process.pid}.jsonl`);
  const seen = new Map<string, number>();
  return (req, res) => {
    const requestChunks = captureBody(req);
    const response = captureResponse(res);
    res.once('finish', () => {
      const exchange = exchangeOf(req, res, requestChunks, response);
      if (exchange && isNew(seen, exchange)) appendFileSync(file, `${JSON.stringify(exchange)}\n`);
    });
    listener(req, res);
  };
}

/** Hooks the `data` event, which fires however the body is read. */
function captureBody(req: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  const emit = req.emit.bind(req);
  req.emit = (event: string, ...values: unknown[]) => {
    if (event === 'data' && Buffer.isBuffer(values[0])) chunks.push(values[0]);
    return emit(event, ...values);
  };
  return chunks;
}

interface CapturedResponse {
  chunks: Buffer[];
  /** Headers passed to `writeHead`, which `getHeaders` doesn't return. */
  headers: Record<string, unknown>;
}

function captureResponse(res: ServerResponse): CapturedResponse {
  const response: CapturedResponse = { chunks: [], headers: {} };
  const capture = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') response.chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
    else if (chunk instanceof Uint8Array) response.chunks.push(Buffer.from(chunk));
  };
  const { write, end, writeHead } = res;
  res.write = ((chunk: unknown, ...more: unknown[]) => {
    capture(chunk, typeof more[0] === 'string' ? more[0] : undefined);
    return Reflect.apply(write, res, [chunk, ...more]);
  }) as typeof res.write;
  res.end = ((chunk: unknown, ...more: unknown[]) => {
    if (typeof chunk !== 'function') capture(chunk, typeof more[0] === 'string' ? more[0] : undefined);
    return Reflect.apply(end, res, [chunk, ...more]);
  }) as typeof res.end;
  res.writeHead = ((status: number, ...more: unknown[]) => {
    const headers = more.at(-1);
    if (typeof headers === 'object' && headers !== null && !Array.isArray(headers))
      Object.assign(response.headers, headers);
    return Reflect.apply(writeHead, res, [status, ...more]);
  }) as typeof res.writeHead;
  return response;
}

function exchangeOf(
  req: IncomingMessage,
  res: ServerResponse,
  requestChunks: Buffer[],
  response: CapturedResponse,
): RecordedExchange | undefined {
  const [request, body] = [Buffer.concat(requestChunks), Buffer.concat(response.chunks)];
  if (request.length > largestBodyBytes || body.length > largestBodyBytes) return undefined;
  const requestBody = parseBody(request, req.headers['content-type']);
  return {
    method: req.method!,
    url: req.url!,
    requestHeaders: headerTexts(req.headers),
    ...(requestBody !== undefined && { request_body: requestBody }),
    status: res.statusCode,
    headers: headerTexts({ ...res.getHeaders(), ...response.headers }),
    ...(body.length > 0 && { body: body.toString() }),
  };
}

function headerTexts(headers: Record<string, unknown>): Record<string, string> {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}

function parseBody(bytes: Buffer, type = ''): unknown {
  if (bytes.length === 0 || !/json/.test(type)) return undefined;
  return parseJson(bytes.toString());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNew(
  seen: Map<string, number>,
  { method, url, status, request_body: requestBody, body = '' }: RecordedExchange,
): boolean {
  const [path, query = ''] = url.split('?');
  const kind = `${method} ${path!.replaceAll(/[^/]*\d[^/]*/g, '{}')} ${status}`;
  const names = [...new URLSearchParams(query).keys()].sort().join();
  const signature = `${kind} ${names} ${shape(requestBody)} ${shape(parseJson(body))}`;
  const [similarCount = 0, kindCount = 0] = [seen.get(signature), seen.get(kind)];
  if (similarCount >= maxSimilar || kindCount >= maxPerKind) return false;
  seen.set(signature, similarCount + 1);
  seen.set(kind, kindCount + 1);
  return true;
}

/** The types of a value and its members. */
function shape(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shape))].sort().join('|')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value).map(([name, each]) => `${name}:${shape(each)}`)}}`;
}
