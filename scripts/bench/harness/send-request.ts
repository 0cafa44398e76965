// Sends one request to the API over keep-alive connections, and returns the response as text.
import { Agent, request as httpRequest } from 'node:http';

export interface ApiRequest {
  method?: string;
  /** Relative to /v1. */
  path: string;
  body?: object;
}

interface ApiTarget {
  base_url: string;
  headers: Record<string, string>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export function sendRequest(
  target: ApiTarget,
  { method = 'GET', path, body }: ApiRequest,
): Promise<{ status: number; body: string }> {
  const text = body && JSON.stringify(body);
  const content = text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const headers = { ...target.headers, ...content };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${target.base_url}/v1${path}`, { method, headers, agent }, (response) => {
      let responseBody = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (responseBody += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, body: responseBody }));
    });
    request.on('error', reject);
    request.end(text);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
