/** Sends requests byte by byte, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Everything received on the connection. */
  text: string;
  duration_ms: number;
}

/** Opens a connection, sends a text or what a function writes, and reads until the server closes it. */
export async function raw(baseUrl: string, send: string | ((socket: Socket) => unknown)): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const started = performance.now();
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  socket.on('error', () => {}); // reset by the server: keep what was received before
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (typeof send === 'string') socket.write(send);
  else await send(socket);
  await closed;
  return { ...parsed(text), text, duration_ms: performance.now() - started };
}

function parsed(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const content = rest.join('\r\n\r\n').slice(0, Number(headers['content-length'] ?? 0));
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: content ? JSON.parse(content) : undefined };
}
