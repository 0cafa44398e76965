/**
 * Sends a request to the API within the process, as if it had come from outside: so a tool has no way around a check, a limit, or the
 * audit log.
 */
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';

interface Outgoing {
  method: string;
  /** Path with query. */
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** What tells where a request comes from, also through proxies. */
const ofOrigin = /^(?:host|user-agent|x-forwarded-.+)$/;

/**
 * @param original the request on whose behalf it is sent: its origin and its connection are those of this one
 * @returns status and body of the answer; undefined for none
 */
export function sendWithin(
  api: RequestListener,
  original: IncomingMessage,
  { method, url, headers, body }: Outgoing,
): Promise<{ status: number; body: unknown }> {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const req = new IncomingMessage(original.socket);
  const origin = Object.entries(original.headers).filter(([name]) => ofOrigin.test(name)) as [string, string][];
  const sent: Record<string, string> = {
    ...Object.fromEntries(origin),
    ...headers,
    ...(content && { 'content-type': 'application/json', 'content-length': String(content.length) }),
  };
  const rawHeaders = Object.entries(sent).flat();
  Object.assign(req, { method: method.toUpperCase(), url, headers: sent, rawHeaders });
  Object.assign(req, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  if (content) req.push(content);
  req.push(null);
  req.complete = true;
  const res = new ServerResponse(req);
  const chunks: Buffer[] = [];
  const connection = new PassThrough();
  connection.on('error', () => {}); // nobody writes to it but the response
  connection.resume();
  return new Promise((resolve, reject) => {
    const { write, end } = res;
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
    };
    res.write = ((chunk: unknown, ...more: unknown[]) => {
      keep(chunk);
      return Reflect.apply(write, res, [chunk, ...more]);
    }) as typeof res.write;
    res.end = ((chunk: unknown, ...more: unknown[]) => {
      keep(chunk);
      return Reflect.apply(end, res, [chunk, ...more]);
    }) as typeof res.end;
    res.once('finish', () => {
      res.emit('close');
      resolve({ status: res.statusCode, body: parsed(Buffer.concat(chunks)) });
    });
    res.on('error', reject);
    res.assignSocket(connection as never);
    api(req, res);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
