/** An HTTPS client that returns raw responses and trusts a single CA. */
import { Agent, type RequestOptions, request } from 'node:https';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { TestClient } from '../app.ts';

export interface ProxiedResponse {
  status: number;
  headers: Record<string, string>;
  /** Decompressed body. */
  body: Buffer;
  /** Body size on the wire. */
  sentBytes: number;
  json<T = Record<string, unknown>>(): T;
}

interface RequestInput {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer | string | Iterable<Buffer>;
}

export type SendRequest = (path: string, sent?: RequestInput) => Promise<ProxiedResponse>;

/** @returns functions that send requests with and without the caller's token */
export function proxiedClient(
  baseUrl: string,
  ca: string,
  caller: TestClient,
): { request: SendRequest; anon: SendRequest; close(): void } {
  const agent = new Agent({ ca, keepAlive: true });
  const { host: Host, hostname: servername, port } = new URL(baseUrl);
  const target: RequestOptions = { host: '127.0.0.1', port, servername, agent };
  const whole = (sent: RequestInput, own = {}): RequestInput => ({
    ...sent,
    headers: { Host, ...own, ...sent.headers },
  });
  const own = { Authorization: `Bearer ${caller.token}`, 'X-Company-Id': caller.company_id };
  return {
    request: (path, sent = {}) => send(target, path, whole(sent, own)),
    anon: (path, sent = {}) => send(target, path, whole(sent)),
    close: () => agent.destroy(),
  };
}

function send(
  target: RequestOptions,
  path: string,
  { method = 'GET', headers = {}, body }: RequestInput,
): Promise<ProxiedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...target, path, method, headers }, async (incoming) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
      } catch (error) {
        return reject(error);
      }
      const bytes = Buffer.concat(chunks);
      const responseHeaders = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      );
      const whole = method === 'HEAD' ? bytes : decompress(bytes, responseHeaders['content-encoding']);
      resolve({
        status: incoming.statusCode!,
        headers: responseHeaders,
        body: whole,
        sentBytes: bytes.length,
        json: () => JSON.parse(whole.toString()),
      });
    });
    outgoing.once('error', reject);
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return outgoing.end(body);
    for (const piece of body) outgoing.write(piece); // without a length, so chunked
    return outgoing.end();
  });
}

function decompress(bytes: Buffer, coding: string | undefined): Buffer {
  switch (coding) {
    case undefined:
      return bytes;
    case 'gzip':
      return gunzipSync(bytes);
    case 'br':
      return brotliDecompressSync(bytes);
    case 'zstd':
      return zstdDecompressSync(bytes);
    default:
      throw new Error(`nobody asked for ${coding}`);
  }
}

/** Encodes a form, and returns the content type to send it with. */
export async function formOf(parts: FormData): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const response = new Response(parts);
  return {
    headers: { 'Content-Type': response.headers.get('content-type')! },
    body: Buffer.from(await response.arrayBuffer()),
  };
}

export const json = (body: unknown) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
