/**
 * A small proxy that changes requests and responses as networks in between do (docs/operations/proxies.md): it rewrites
 * headers, compresses, and forwards bodies with a length or chunked.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

/** Source address of its requests to the service; clients connect from 127.0.0.1. */
export const proxyAddress = '127.0.0.2';

/** In original order and case. */
export type HeaderLines = [name: string, value: string][];

export interface Rewriting {
  /** Rewrites the request headers. `address` is the client's. */
  request?(lines: HeaderLines, address: string): HeaderLines;
  response?(lines: HeaderLines): HeaderLines;
  /** Whether to compress a response, given its original headers and those of the request. */
  compresses?(response: HeaderLines, asked: HeaderLines): boolean;
  /** How bodies are framed; unchanged by default. */
  request_body?: 'length' | 'chunked';
  responseBody?: 'length' | 'chunked';
  /** Serves HTTP/2 with this certificate. */
  http2?: { cert: string; key: string };
}

export interface RewritingProxy {
  url: string;
  last(): HeaderLines;
  close(): Promise<void>;
}

export async function startRewritingProxy(servicePort: number, rewriting: Rewriting): Promise<RewritingProxy> {
  let last: HeaderLines = [];
  const serve = async (req: IncomingMessage | Http2ServerRequest, res: ServerResponse | Http2ServerResponse) => {
    try {
      const asked = linesOf(req.rawHeaders).filter(([name]) => !name.startsWith(':'));
      const host: HeaderLines = req.httpVersionMajor === 2 ? [['host', String(req.headers[':authority'])]] : [];
      const address = req.socket.remoteAddress!.replace('::ffff:', '');
      last = rewriting.request?.([...host, ...withoutHop(asked)], address) ?? [...host, ...withoutHop(asked)];
      const sent = await buffer(req);
      const response = await upstream(
        servicePort,
        req.method!,
        req.url!,
        withBodyFraming(last, sent, rewriting.request_body),
        sent,
        rewriting,
      );
      const bytes = await buffer(response);
      const lines = withoutHop(linesOf(response.rawHeaders));
      const isCompressed = bytes.length > 0 && (rewriting.compresses?.(lines, asked) ?? false);
      const body = isCompressed ? gzipSync(bytes) : bytes;
      const compressedLines: HeaderLines = isCompressed
        ? [...without(lines, 'content-length'), ['Content-Encoding', 'gzip']]
        : lines;
      const rewrittenLines = rewriting.response?.(compressedLines) ?? compressedLines;
      const isSized = rewriting.responseBody !== 'chunked' && body.length > 0;
      const sizedLines: HeaderLines = isSized
        ? [...without(rewrittenLines, 'content-length'), ['Content-Length', String(body.length)]]
        : rewrittenLines;
      const finalLines =
        rewriting.responseBody === 'chunked' && bytes.length > 0 ? without(sizedLines, 'content-length') : sizedLines;
      (res as ServerResponse).writeHead(response.statusCode!, finalLines.flat());
      for (let at = 0; at < body.length; at += 1_000) (res as ServerResponse).write(body.subarray(at, at + 1_000));
      res.end();
    } catch (error) {
      res.destroy(error as Error);
    }
  };
  const server = rewriting.http2
    ? createSecureServer({ ...rewriting.http2, allowHTTP1: true }, serve as never)
    : createServer(serve);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${rewriting.http2 ? 'https' : 'http'}://127.0.0.1:${port}`,
    last: () => last,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** Uses a new connection per request, so that nothing carries over. */
function upstream(
  port: number,
  method: string,
  path: string,
  lines: HeaderLines,
  body: Buffer,
  { request_body: requestBody }: Rewriting,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = lines.flat();
    const asked = request(
      { port, host: '127.0.0.1', localAddress: proxyAddress, method, path, headers, agent: false, setHost: false },
      resolve,
    );
    asked.once('error', reject);
    if (requestBody === 'chunked')
      for (let at = 0; at < body.length; at += 700) asked.write(body.subarray(at, at + 700));
    else if (body.length > 0) asked.write(body);
    asked.end();
  });
}

function withBodyFraming(lines: HeaderLines, body: Buffer, rewriting: Rewriting['request_body']): HeaderLines {
  const rest = without(lines, 'content-length');
  if (body.length === 0) return lines;
  return rewriting === 'chunked'
    ? [...rest, ['Transfer-Encoding', 'chunked']]
    : [...rest, ['Content-Length', String(body.length)]];
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1). */
const hop = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'proxy-connection'];

function withoutHop(lines: HeaderLines): HeaderLines {
  return without(lines, ...hop);
}

export function without(lines: HeaderLines, ...names: string[]): HeaderLines {
  return lines.filter(([name]) => !names.includes(name.toLowerCase()));
}

export function linesOf(raw: readonly string[]): HeaderLines {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!]);
}

export function headerOf(lines: HeaderLines, name: string): string | undefined {
  return lines.find(([each]) => each.toLowerCase() === name)?.[1];
}
