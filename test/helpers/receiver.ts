/** A real receiver of webhooks: keeps what arrives, byte for byte, and answers as told, or misbehaves. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from './eventually.ts';

/** One request, as it came over the wire. */
export interface Received {
  method: string;
  path: string;
  /** In their order and spelling. */
  headers: [name: string, value: string][];
  body: Buffer;
  at: Date;
}

/** A status, or whatever is done with the response; its socket is there for those who want to misbehave. */
export type Answer = number | ((response: ServerResponse, request: Received) => void | Promise<void>);

export interface Receiver {
  /** Ends with a slash. */
  url: string;
  requests: Received[];
  /** How many connections were made. */
  connections: number;
  /** From now on. */
  respond(answer: Answer): void;
  /** Waits until this many requests have come. */
  received(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** 204 unless told otherwise. */
  answer?: Answer;
  /** With a certificate it speaks HTTPS. */
  tls?: ServerOptions;
  /** The name in `url`, when it is not the address. */
  host?: string;
}

export async function receiver({ answer = 204, tls, host = '127.0.0.1' }: ReceiverOptions = {}): Promise<Receiver> {
  const server = tls ? createTlsServer(tls) : createServer();
  const self: Receiver = {
    url: '',
    requests: [],
    connections: 0,
    respond(next) {
      answer = next;
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
    if (!received) return; // the sender has gone
    self.requests.push(received);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else await answer(response, received);
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

/** The value of a header, in whatever spelling; undefined when it did not come. */
export function header(request: Received, name: string): string | undefined {
  return request.headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** Ways not to answer, each to be given to `respond`. */
export const misbehaviours = {
  /** Says nothing, ever. */
  hang() {},
  /** Ends the connection with a RST. */
  reset(response) {
    response.socket!.resetAndDestroy();
  },
  /** Ends the connection without a word. */
  hangUp(response) {
    response.socket!.destroy();
  },
  /** Promises 100 bytes, sends 10, and ends the connection. */
  closeHalfWay(response) {
    response.socket!.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789');
  },
  /** Ends the connection in the middle of a chunk. */
  closeInChunk(response) {
    response.socket!.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n0123456789');
  },
  /** Ends the connection in the middle of the headers. */
  closeInHeaders(response) {
    response.socket!.end('HTTP/1.1 200 OK\r\nContent-Le');
  },
  /** A byte each tenth of a second, and no end. */
  drip(response) {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(timer));
  },
  /** A gigabyte, as fast as it is taken. */
  endless(response) {
    const chunk = Buffer.alloc(65_536, 'x');
    let left = 16_384;
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', more);
      response.end();
    };
    response.writeHead(200);
    more();
  },
  /** Speaks another protocol. */
  garbage(response) {
    response.socket!.end('SSH-2.0-OpenSSH_9.7\r\n');
  },
  /** Two interim answers before the real one. */
  interim(response) {
    response.writeContinue();
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
    response.writeHead(200).end('done');
  },
  /** Wants to speak another protocol from here on. */
  upgrade(response) {
    response.socket!.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  },
} satisfies Record<string, (response: ServerResponse) => void>;

/** Sends the sender elsewhere. */
export const redirectTo =
  (location: string, status = 302): Answer =>
  (response) =>
    void response.writeHead(status, { Location: location }).end();
