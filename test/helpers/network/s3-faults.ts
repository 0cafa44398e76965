/** Faults that `s3-peer.ts` injects into a single request. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  body: Buffer;
  stored: Buffer | undefined;
  /** Stores these bytes instead of those sent. */
  store(content: Buffer): void;
  headers: Record<string, string | number>;
  proceed(): void;
}

export type Fault = (exchange: Exchange) => void;

const half = (content: Buffer) => content.subarray(0, content.length / 2);
/** The requested range of the object. */
function requestedRange({ req, stored }: Exchange): { status: number; content: Buffer; range: Record<string, string> } {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
  if (!stored) throw new Error('this fault is for an object that is there');
  if (!from) return { status: 200, content: stored, range: {} };
  const content = stored.subarray(Number(from), Number(to) + 1);
  const range = { 'Content-Range': `bytes ${from}-${Number(from) + content.length - 1}/${stored.length}` };
  return { status: 206, content, range };
}
const etag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`;

export const faults = {
  silent: () => {},
  stalls(exchange) {
    const { status, content, range } = requestedRange(exchange);
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': content.length });
    exchange.res.write(half(content));
  },
  breaks_off(exchange) {
    const { status, content, range } = requestedRange(exchange);
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': content.length });
    exchange.res.write(half(content), () => exchange.res.destroy());
  },
  cuts(exchange) {
    const { status, content, range } = requestedRange(exchange);
    const part = half(content);
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': part.length }).end(part);
  },
  /** Sends different bytes of the same length. */
  changes(exchange) {
    const { status, content, range } = requestedRange(exchange);
    const other = Buffer.from(content.map((byte) => byte ^ 1));
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': other.length }).end(other);
  },
  ignores_ranges({ res, stored, headers }) {
    res.writeHead(200, { ...headers, 'Content-Length': stored!.length }).end(stored);
  },
  /** Sends the wrong range with the right length. */
  other_range(exchange) {
    const { content, range } = requestedRange(exchange);
    const shifted = { 'Content-Range': range['Content-Range']!.replace(/\d+/, (from) => String(Number(from) + 1)) };
    exchange.res.writeHead(206, { ...exchange.headers, ...shifted, 'Content-Length': content.length }).end(content);
  },
  /** Responds like a captive portal: with an HTML page. */
  page({ res }) {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
  },
  no_page({ res }) {
    res.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Not found</title>');
  },
  error_in_200({ res }) {
    const error = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>Try again</Message></Error>';
    res.writeHead(200, { 'Content-Type': 'application/xml' }).end(error);
  },
  /** Stores a part of the body; only the ETag shows it. */
  keeps_half({ res, body, store }) {
    store(half(body));
    res.writeHead(200, { ETag: etag(half(body)) }).end();
  },
  /** Stores nothing; only the ETag shows it. */
  keeps_nothing({ res }) {
    res.writeHead(200, { ETag: etag(Buffer.alloc(0)) }).end();
  },
  /** Stores everything, with an ETag that isn't an MD5, as stores with customer-managed encryption keys do. */
  odd_etag({ res, body, store }) {
    store(body);
    res.writeHead(200, { ETag: '"9bb58f26192e4ba00f01e2e7b136bbd8-1"' }).end();
  },
  /** Reports an object as removed but keeps it. */
  keeps_removed: ({ res }) => void res.writeHead(200).end(),
  full: refuseWith(507, 'XMinioStorageFull'),
  over_quota: refuseWith(403, 'QuotaExceeded'),
  overloaded: refuseWith(503, 'SlowDown'),
  denies: refuseWith(403, 'AccessDenied'),
  elsewhere: refuseWith(301, 'PermanentRedirect'),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** Responds correctly but slowly: sends a piece every `pauseMs`. */
export function slowly(pauseMs: number, pieceBytes: number): Fault {
  return (exchange) => {
    if (exchange.req.method !== 'GET') {
      setTimeout(exchange.proceed, pauseMs);
      return;
    }
    const { status, content, range } = requestedRange(exchange);
    const { res } = exchange;
    res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': content.length });
    const send = (at: number) => {
      res.write(content.subarray(at, at + pieceBytes));
      if (at + pieceBytes >= content.length) res.end();
      else setTimeout(send, pauseMs, at + pieceBytes);
    };
    send(0);
  };
}

function refuseWith(status: number, code: string): Fault {
  return ({ res }) => {
    res.writeHead(status, { 'Content-Type': 'application/xml' });
    res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`);
  };
}
