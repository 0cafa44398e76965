// Sends a request as it is: corrects nothing, adds nothing, follows no redirects.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  method: string;
  /** Includes the query; characters that are invalid in a request line are percent-encoded. */
  path: string;
  headers: readonly (readonly [string, string])[];
  body?: Buffer | undefined;
  /** Uses its own connection, if its headers may corrupt it. */
  alone?: boolean;
}

export interface FuzzResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  duration_ms: number;
}

export const responseTimeoutMs = 15_000;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** @throws when there is no response in time, or the connection closes without one */
export function send(baseUrl: string, { method, path, headers, body, alone }: Sent): Promise<FuzzResponse> {
  const started = performance.now();
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const fields = headers.flat();
    if (!headers.some(([name]) => /^host$/i.test(name))) fields.push('Host', `${hostname}:${port}`);
    if (body && !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))) {
      fields.push('Content-Length', String(body.length));
    }
    if (alone) fields.push('Connection', 'close');
    const outgoing = request({
      host: hostname,
      port,
      method,
      path: sendable(path),
      headers: fields as unknown as string[],
      agent: alone ? false : agent,
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: incoming.statusCode!,
          headers: incoming.headers,
          text,
          duration_ms: performance.now() - started,
        });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

export function sendable(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

export function hangUp(): void {
  agent.destroy();
}
