/**
 * Requests to identity providers, whose addresses companies choose: to exactly the checked addresses, as for webhooks, without
 * redirects.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AddressRefused, defaultLookup, hostOf, pinnedLookup, urlErrorText } from '../webhooks/subscriptions/target.ts';

const timeoutMs = 10_000;
const maxBytes = 512 * 1024;

interface SentRequest {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
}

export type GuardedFetch = (url: string, request: SentRequest) => Promise<Response>;

export function createGuardedFetch(settings: { allow_private: boolean }): GuardedFetch {
  const lookup = pinnedLookup(defaultLookup(settings), settings);
  const http = new HttpAgent({ lookup });
  const https = new HttpsAgent({ lookup, rejectUnauthorized: true });
  return async (url, { method = 'GET', headers = {}, body }) => {
    const target = new URL(url);
    const refused = urlErrorText(target, settings);
    if (refused) throw new AddressRefused(String(refused));
    const content = body === undefined || body === null ? undefined : Buffer.from(String(body));
    const secure = target.protocol === 'https:';
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (secure ? httpsRequest : httpRequest)(
        {
          agent: secure ? https : http,
          method,
          host: hostOf(target),
          port: target.port,
          path: target.pathname + target.search,
          headers: { ...headers, ...(content && { 'content-length': String(content.length) }) },
          signal: AbortSignal.timeout(timeoutMs),
        },
        resolve,
      );
      request.on('error', reject);
      request.end(content);
    });
    return toResponse(incoming);
  };
}

async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxBytes) {
      incoming.destroy();
      throw new Error('the response is too large');
    }
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  const status = incoming.statusCode ?? 502;
  const hasBody = ![204, 205, 304].includes(status) && status >= 200;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status: status < 200 ? 502 : status, headers });
}
