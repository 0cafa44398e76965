// Sends one request to the API over keep-alive connections, and returns the response as text.
import { Agent, request as httpRequest } from 'node:http';

export interface Asked {
  method?: string;
  /** Relative to /v1. */
  path: string;
  body?: object;
}

interface Asker {
  base_url: string;
  headers: Record<string, string>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export function ask(asker: Asker, { method = 'GET', path, body }: Asked): Promise<{ status: number; body: string }> {
  const text = body && JSON.stringify(body);
  const content = text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const headers = { ...asker.headers, ...content };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${asker.base_url}/v1${path}`, { method, headers, agent }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (answer += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, body: answer }));
    });
    request.on('error', reject);
    request.end(text);
  });
}

export function stopAsking(): void {
  agent.destroy();
}
