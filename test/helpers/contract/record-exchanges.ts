/**
 * Records requests and responses of tests for `make proof NAME=exchanges`: with EXCHANGES=<folder>, each process writes
 * a file there. Skips exchanges that resemble recorded ones, and very large bodies.
 */
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';

export interface Recorded {
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
const maxAlike = 3;
/** Limit per method, path, and status. */
const maxOfKind = 150;
const largestBodyBytes = 300_000;

/** Without EXCHANGES, returns the listener unchanged. */
export function recorded(listener: RequestListener): RequestListener {
  const folder = process.env.EXCHANGES;
  if (!folder) return listener;
  const file = join(folder, `${process.pid}.jsonl`);
  const seen = new Map<string, number>();
  return (req, res) => {
    const sent = listenTo(req);
    const answer = watch(res);
    res.once('finish', () => {
      const exchange = exchangeOf(req, res, sent, answer);
      if (exchange && isNew(seen, exchange)) appendFileSync(file, `${JSON.stringify(exchange)}\n`);
    });
    listener(req, res);
  };
}

/** Hooks the `data` event, which fires however the body is read. */
function listenTo(req: IncomingMessage): Buffer[] {
  const pieces: Buffer[] = [];
  const emit = req.emit.bind(req);
  req.emit = (event: string, ...values: unknown[]) => {
    if (event === 'data' && Buffer.isBuffer(values[0])) pieces.push(values[0]);
    return emit(event, ...values);
  };
  return pieces;
}

interface Answer {
  pieces: Buffer[];
  /** Headers passed to `writeHead`, which `getHeaders` doesn't return. */
  headers: Record<string, unknown>;
}

function watch(res: ServerResponse): Answer {
  const answer: Answer = { pieces: [], headers: {} };
  const keep = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') answer.pieces.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
    else if (chunk instanceof Uint8Array) answer.pieces.push(Buffer.from(chunk));
  };
  const { write, end, writeHead } = res;
  res.write = ((chunk: unknown, ...more: unknown[]) => {
    keep(chunk, typeof more[0] === 'string' ? more[0] : undefined);
    return Reflect.apply(write, res, [chunk, ...more]);
  }) as typeof res.write;
  res.end = ((chunk: unknown, ...more: unknown[]) => {
    if (typeof chunk !== 'function') keep(chunk, typeof more[0] === 'string' ? more[0] : undefined);
    return Reflect.apply(end, res, [chunk, ...more]);
  }) as typeof res.end;
  res.writeHead = ((status: number, ...more: unknown[]) => {
    const headers = more.at(-1);
    if (typeof headers === 'object' && headers !== null && !Array.isArray(headers))
      Object.assign(answer.headers, headers);
    return Reflect.apply(writeHead, res, [status, ...more]);
  }) as typeof res.writeHead;
  return answer;
}

function exchangeOf(req: IncomingMessage, res: ServerResponse, sent: Buffer[], answer: Answer): Recorded | undefined {
  const [request, body] = [Buffer.concat(sent), Buffer.concat(answer.pieces)];
  if (request.length > largestBodyBytes || body.length > largestBodyBytes) return undefined;
  const requestBody = parsed(request, req.headers['content-type']);
  return {
    method: req.method!,
    url: req.url!,
    requestHeaders: texts(req.headers),
    ...(requestBody !== undefined && { request_body: requestBody }),
    status: res.statusCode,
    headers: texts({ ...res.getHeaders(), ...answer.headers }),
    ...(body.length > 0 && { body: body.toString() }),
  };
}

function texts(headers: Record<string, unknown>): Record<string, string> {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}

function parsed(bytes: Buffer, type = ''): unknown {
  if (bytes.length === 0 || !/json/.test(type)) return undefined;
  return json(bytes.toString());
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNew(
  seen: Map<string, number>,
  { method, url, status, request_body: requestBody, body = '' }: Recorded,
): boolean {
  const [path, query = ''] = url.split('?');
  const kind = `${method} ${path!.replaceAll(/[^/]*\d[^/]*/g, '{}')} ${status}`;
  const names = [...new URLSearchParams(query).keys()].sort().join();
  const look = `${kind} ${names} ${shape(requestBody)} ${shape(json(body))}`;
  const [alike = 0, ofKind = 0] = [seen.get(look), seen.get(kind)];
  if (alike >= maxAlike || ofKind >= maxOfKind) return false;
  seen.set(look, alike + 1);
  seen.set(kind, ofKind + 1);
  return true;
}

/** The types of a value and its members. */
function shape(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shape))].sort().join('|')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value).map(([name, each]) => `${name}:${shape(each)}`)}}`;
}
