/** What a store does wrong, for `s3-peer.ts`: each is told to the one request that it is done to. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  /** Of the request. */
  body: Buffer;
  /** The object that the request is about; undefined when there is none. */
  kept: Buffer | undefined;
  /** Keeps other bytes than it was sent. */
  keep(content: Buffer): void;
  /** The headers that belong to the object. */
  headers: Record<string, string | number>;
  /** Answers as it should be. */
  proceed(): void;
}

export type Fault = (exchange: Exchange) => void;

const half = (content: Buffer) => content.subarray(0, content.length / 2);
/** What was asked for, of what is kept. */
function asked({ req, kept }: Exchange): { status: number; content: Buffer; range: Record<string, string> } {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
  if (!kept) throw new Error('this fault is for an object that is there');
  if (!from) return { status: 200, content: kept, range: {} };
  const content = kept.subarray(Number(from), Number(to) + 1);
  const range = { 'Content-Range': `bytes ${from}-${Number(from) + content.length - 1}/${kept.length}` };
  return { status: 206, content, range };
}
const etag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`;

export const faults = {
  /** Takes the request and says nothing. */
  silent: () => {},
  /** Says nothing in the middle of an object. */
  stalls(exchange) {
    const { status, content, range } = asked(exchange);
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': content.length });
    exchange.res.write(half(content));
  },
  /** Ends the connection in the middle of an object. */
  breaks_off(exchange) {
    const { status, content, range } = asked(exchange);
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': content.length });
    exchange.res.write(half(content), () => exchange.res.destroy());
  },
  /** Sends a part as if it were the whole. */
  cuts(exchange) {
    const { status, content, range } = asked(exchange);
    const part = half(content);
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': part.length }).end(part);
  },
  /** Sends other bytes, as many. */
  changes(exchange) {
    const { status, content, range } = asked(exchange);
    const other = Buffer.from(content.map((byte) => byte ^ 1));
    exchange.res.writeHead(status, { ...exchange.headers, ...range, 'Content-Length': other.length }).end(other);
  },
  /** Sends all of it, whatever range was asked for. */
  ignores_ranges({ res, kept, headers }) {
    res.writeHead(200, { ...headers, 'Content-Length': kept!.length }).end(kept);
  },
  /** Sends a range of the right length from elsewhere. */
  other_range(exchange) {
    const { content, range } = asked(exchange);
    const moved = { 'Content-Range': range['Content-Range']!.replace(/\d+/, (from) => String(Number(from) + 1)) };
    exchange.res.writeHead(206, { ...exchange.headers, ...moved, 'Content-Length': content.length }).end(content);
  },
  /** Not a store at all: a page of something on the way. */
  page({ res }) {
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
  },
  /** The same, for what is not there. */
  no_page({ res }) {
    res.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Not found</title>');
  },
  /** An error that looks like a success. */
  error_in_200({ res }) {
    const error = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>Try again</Message></Error>';
    res.writeHead(200, { 'Content-Type': 'application/xml' }).end(error);
  },
  /** Keeps a part of what it was sent, and says so only by its ETag. */
  keeps_half({ res, body, keep }) {
    keep(half(body));
    res.writeHead(200, { ETag: etag(half(body)) }).end();
  },
  /** Keeps nothing, and says so only by its ETag. */
  keeps_nothing({ res }) {
    res.writeHead(200, { ETag: etag(Buffer.alloc(0)) }).end();
  },
  /** Keeps all, with an ETag that is no MD5: as stores do that encrypt with keys of their own. */
  odd_etag({ res, body, keep }) {
    keep(body);
    res.writeHead(200, { ETag: '"9bb58f26192e4ba00f01e2e7b136bbd8-1"' }).end();
  },
  /** Says of an object that it was removed, and keeps it. */
  keeps_removed: ({ res }) => void res.writeHead(200).end(),
  full: refusing(507, 'XMinioStorageFull'),
  over_quota: refusing(403, 'QuotaExceeded'),
  overloaded: refusing(503, 'SlowDown'),
  denies: refusing(403, 'AccessDenied'),
  elsewhere: refusing(301, 'PermanentRedirect'),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** Does as it should, in pieces, one each time that much has passed. */
export function slowly(pauseMs: number, pieceBytes: number): Fault {
  return (exchange) => {
    if (exchange.req.method !== 'GET') {
      setTimeout(exchange.proceed, pauseMs);
      return;
    }
    const { status, content, range } = asked(exchange);
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

function refusing(status: number, code: string): Fault {
  return ({ res }) => {
    res.writeHead(status, { 'Content-Type': 'application/xml' });
    res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`);
  };
}
