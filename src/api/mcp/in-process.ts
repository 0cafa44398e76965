/**
 * Sends a request to the API in-process, as if it came from outside, so that no tool bypasses a check, a limit, or the audit log.
 */
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';

interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** Headers that identify the origin of a request, also behind proxies. */
const originHeaders = /^(?:host|user-agent|x-forwarded-.+)$/;

/**
 * @param original the outer request, which provides origin and connection
 * @returns status and body; undefined without a body
 */
export function sendInProcess(
  api: RequestListener,
  original: IncomingMessage,
  { method, url, headers, body }: Outgoing,
): Promise<{ status: number; body: unknown }> {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const req = new IncomingMessage(original.socket);
  const origin = Object.entries(original.headers).filter(([name]) => originHeaders.test(name)) as [string, string][];
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
  connection.on('error', () => {}); // only the response writes to it
  connection.resume();
  return new Promise((resolve, reject) => {
    const { write, end } = res;
    const collect = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
    };
    res.write = ((chunk: unknown, ...more: unknown[]) => {
      collect(chunk);
      return Reflect.apply(write, res, [chunk, ...more]);
    }) as typeof res.write;
    res.end = ((chunk: unknown, ...more: unknown[]) => {
      collect(chunk);
      return Reflect.apply(end, res, [chunk, ...more]);
    }) as typeof res.end;
    res.once('finish', () => {
      res.emit('close');
      resolve({ status: res.statusCode, body: parseBody(Buffer.concat(chunks)) });
    });
    res.on('error', reject);
    res.assignSocket(connection as never);
    api(req, res);
  });
}

function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
