/**
 * A small in-memory S3 store for tests. Checks the signature of every request (Signature Version 4, in headers and
 * URLs) and the hash of every body, lists two objects per page, and can inject faults.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Exchange, type Fault, type FaultName, faults } from './s3-faults.ts';

const pageSize = 2;
/** The same as Amazon's. */
const maxSkewMs = 15 * 60_000;

interface StoredObject {
  content: Buffer;
  modifiedAt: Date;
  /** Headers stored with the object and returned with it. */
  metadata?: Record<string, string>;
}

export interface S3Peer {
  url(prefix?: string): string;
  objects: Map<string, StoredObject>;
  /** Method, key, and headers of each request. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Responds with this status and the request body in the error message from now on. @param methods only these */
  fail(status: number | undefined, methods?: readonly string[]): void;
  /** Injects a fault into correctly signed requests from now on. @param methods only these */
  misbehave(fault: FaultName | Fault | undefined, methods?: readonly string[]): void;
  /** Clock skew; the store rejects requests signed too far from its own time. */
  skew(ms: number): void;
  close(): Promise<void>;
}

const accessKey = 'AKIATEST';
const secretKey = 'se/cret+key=';
const bucket = 'files';

export async function startS3(): Promise<S3Peer> {
  const objects: S3Peer['objects'] = new Map();
  const requests: S3Peer['requests'] = [];
  let failStatus: number | undefined;
  let failingMethods: readonly string[] | undefined;
  let fault: Fault | undefined;
  let faultMethods: readonly string[] | undefined;
  let skewMs = 0;
  const server = createServer(async (req, res) => {
    try {
      const body = await buffer(req);
      const url = new URL(req.url!, 'http://peer');
      requests.push({ method: req.method!, path: url.pathname, headers: req.headers });
      if (failStatus && (failingMethods?.includes(req.method!) ?? true)) {
        return refuse(res, failStatus, 'InternalError', body.toString('latin1').slice(0, 4_096));
      }
      res.setHeader('Date', new Date(Date.now() + skewMs).toUTCString());
      const problem = isClockSkewed(req, skewMs) ? 'RequestTimeTooSkewed' : signatureProblem(req, url, body);
      if (problem) return refuse(res, 403, problem);
      const [, bucketName, key] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname))!;
      if (bucketName !== bucket) return refuse(res, 404, 'NoSuchBucket');
      const proceed = () => (key === '' ? list(res, url, objects) : serve(req, res, url, key!, body, objects));
      if (!fault || !(faultMethods?.includes(req.method!) ?? true)) return proceed();
      fault(exchangeOf({ req, res, body, proceed }, key!, objects));
    } catch {
      res.destroy();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = `${accessKey}:${encodeURIComponent(secretKey)}`;
  return {
    url: (prefix = '') =>
      `s3://${credentials}@${bucket}${prefix && `/${prefix}`}?region=eu-central-1&path_style=true&endpoint=${encodeURIComponent(endpoint)}`,
    objects,
    requests,
    fail(status, methods) {
      failStatus = status;
      failingMethods = methods;
    },
    misbehave(name, methods) {
      fault = typeof name === 'string' ? faults[name] : name;
      faultMethods = methods;
    },
    skew(ms) {
      skewMs = ms;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function exchangeOf(
  request: Pick<Exchange, 'req' | 'res' | 'body' | 'proceed'>,
  key: string,
  objects: S3Peer['objects'],
): Exchange {
  const object = objects.get(key);
  return {
    ...request,
    stored: object?.content,
    headers: object ? headersOf(object) : {},
    store: (content) => void objects.set(key, { ...newObject(request.req, content) }),
  };
}

function newObject({ headers }: IncomingMessage, content: Buffer): StoredObject {
  const metadata = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (name.startsWith('x-amz-meta-') ? [[name, String(value)]] : [])),
  );
  return { content, modifiedAt: new Date(), metadata };
}

function headersOf({ content, modifiedAt, metadata }: StoredObject): Record<string, string> {
  return {
    ...metadata,
    ETag: `"${createHash('md5').update(content).digest('hex')}"`,
    'Last-Modified': modifiedAt.toUTCString(),
  };
}

function isClockSkewed({ headers }: IncomingMessage, skewMs: number): boolean {
  const time = headers['x-amz-date'];
  if (typeof time !== 'string') return false;
  const signedAt = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  return Math.abs(Date.now() + skewMs - signedAt) > maxSkewMs;
}

function serve(
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
  key: string,
  body: Buffer,
  objects: S3Peer['objects'],
): void {
  const object = objects.get(key);
  if (req.method === 'PUT') {
    if (req.headers['content-length'] === undefined) refuse(res, 411, 'MissingContentLength');
    else {
      const stored = newObject(req, body);
      objects.set(key, stored);
      res.writeHead(200, { ETag: headersOf(stored).ETag }).end();
    }
  } else if (req.method === 'DELETE') {
    objects.delete(key);
    res.writeHead(204).end();
  } else if (!object) refuse(res, 404, 'NoSuchKey');
  else {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
    const content = from ? object.content.subarray(Number(from), Number(to) + 1) : object.content;
    const overrideOf = (name: string, header: string) => {
      const value = url.searchParams.get(`response-${name}`);
      return value === null ? {} : { [header]: value };
    };
    const end = Number(from) + content.length - 1;
    res.writeHead(from ? 206 : 200, {
      'Content-Length': content.length,
      ...headersOf(object),
      ...(from && { 'Content-Range': `bytes ${from}-${end}/${object.content.length}` }),
      ...overrideOf('content-type', 'Content-Type'),
      ...overrideOf('content-disposition', 'Content-Disposition'),
      ...overrideOf('cache-control', 'Cache-Control'),
    });
    res.end(req.method === 'HEAD' ? undefined : content);
  }
}

function list(res: ServerResponse, url: URL, objects: S3Peer['objects']): void {
  const after = url.searchParams.get('start-after') ?? '';
  const prefix = url.searchParams.get('prefix') ?? '';
  const keys = [...objects.keys()].sort().filter((key) => key > after && key.startsWith(prefix));
  const contents = keys.slice(0, pageSize).map((key) => {
    const { modifiedAt, content } = objects.get(key)!;
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`;
  });
  res.writeHead(200, { 'Content-Type': 'application/xml' });
  res.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${keys.length > pageSize}</IsTruncated>${contents.join('')}</ListBucketResult>`,
  );
}

function refuse(res: ServerResponse, status: number, code: string, message = 'refused'): void {
  res.writeHead(status, { 'Content-Type': 'application/xml' });
  res.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message.replaceAll(/[^\w .@-]/g, ' ')}</Message></Error>`,
  );
}

/** Recomputes the signature from the request and the secret, and returns what is wrong with it. */
function signatureProblem(req: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const query = url.searchParams;
  const presigned = query.get('X-Amz-Signature');
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    req.headers.authorization ?? '',
  );
  if (!presigned && !header) return 'AccessDenied';
  const [credential, names, signature] = presigned
    ? [query.get('X-Amz-Credential')!, query.get('X-Amz-SignedHeaders')!, presigned]
    : [header![1]!, header![2]!, header![3]!];
  const [id, day, region, service] = credential.split('/') as [string, string, string, string];
  if (id !== accessKey) return 'InvalidAccessKeyId';
  const time = presigned ? query.get('X-Amz-Date')! : String(req.headers['x-amz-date']);
  const hash = presigned ? 'UNSIGNED-PAYLOAD' : String(req.headers['x-amz-content-sha256']);
  if (!presigned && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const headers = names.split(';').map((name) => `${name}:${String(req.headers[name]).trim()}\n`);
  const canonical = [req.method, url.pathname, parameters.join('&'), headers.join(''), names, hash].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${region}/${service}/aws4_request`, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretKey}`,
  );
  const expected = createHmac('sha256', key).update(text).digest('hex');
  return expected === signature ? undefined : 'SignatureDoesNotMatch';
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
