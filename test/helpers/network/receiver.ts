/** A real webhook receiver: records requests byte for byte, and responds as configured or misbehaves. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../eventually.ts';

export interface Received {
  method: string;
  path: string;
  /** In original order and case. */
  headers: [name: string, value: string][];
  body: Buffer;
  at: Date;
}

/** A status, or a function that handles the response and may misuse its socket. */
export type Reply = number | ((response: ServerResponse, request: Received) => void | Promise<void>);

export interface Receiver {
  url: string;
  requests: Received[];
  connections: number;
  /** Changes the response from now on. */
  respond(reply: Reply): void;
  received(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 204 by default. */
  reply?: Reply;
  /** Serves HTTPS if set. */
  tls?: ServerOptions;
  /** Host name in `url` instead of the address. */
  host?: string;
}

export async function receiver({ reply = 204, tls, host = '127.0.0.1' }: ReceiverOptions = {}): Promise<Receiver> {
  const server = tls ? createTlsServer(tls) : createServer();
  const self: Receiver = {
    url: '',
    requests: [],
    connections: 0,
    respond(next) {
      reply = next;
    },
    received: (count) =>
      eventually(() => {
        if (self.requests.length < count) throw new Error(`${self.requests.length} of ${count} requests have come`);
        return self.requests;
      }),
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  server.keepAliveTimeout = 60_000;
  server.on('connection', () => self.connections++);
  server.on('request', async (request, response) => {
    const received = await readRequest(request).catch(() => undefined);
    if (!received) return; // the sender disconnected
    self.requests.push(received);
    if (typeof reply === 'number') response.writeHead(reply).end();
    else await reply(response, received);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  self.url = `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}/`;
  return self;
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const at = new Date();
  const { method = '', url: path = '', rawHeaders } = request;
  const body = await buffer(request);
  const headers: Received['headers'] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) headers.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return { method, path, headers, body, at };
}

export function header(request: Received, name: string): string | undefined {
  return request.headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** Faulty responses for `respond`. */
export const faultyResponses = {
  hang() {},
  reset(response) {
    response.socket!.resetAndDestroy();
  },
  hangUp(response) {
    response.socket!.destroy();
  },
  /** Announces 100 bytes, sends 10, and closes the connection. */
  closeHalfWay(response) {
    response.socket!.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789');
  },
  /** Closes the connection in the middle of a chunk. */
  closeInChunk(response) {
    response.socket!.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n0123456789');
  },
  closeInHeaders(response) {
    response.socket!.end('HTTP/1.1 200 OK\r\nContent-Le');
  },
  drip(response) {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  },
  /** Sends a gigabyte as fast as the client reads. */
  endless(response) {
    const chunk = Buffer.alloc(65_536, 'x');
    let remaining = 16_384;
    const more = () => {
      while (remaining-- > 0) if (!response.write(chunk)) return void response.once('drain', more);
      response.end();
    };
    response.writeHead(200);
    more();
  },
  /** Responds in another protocol. */
  garbage(response) {
    response.socket!.end('SSH-2.0-OpenSSH_9.7\r\n');
  },
  interim(response) {
    response.writeContinue();
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
    response.writeHead(200).end('done');
  },
  upgrade(response) {
    response.socket!.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  },
} satisfies Record<string, (response: ServerResponse) => void>;

export const redirectTo =
  (location: string, status = 302): Reply =>
  (response) =>
    void response.writeHead(status, { Location: location }).end();
