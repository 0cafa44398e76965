/**
 * Published text that is the same for everybody and changes only with the process. It is rendered at the first request,
 * cached, compressed off the event loop, and has its hash as ETag, so that most requests are answered with 304.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { isUnmodified } from './preconditions.ts';
import { taggedHeaders } from './tagged-headers.ts';

export interface Content {
  body: string | Buffer;
  /** Whether `body` is compressed already (gzip), so that nobody has to do it again. */
  gzipped?: boolean;
  /** `body` compressed by brotli, where that was done already. */
  brotli?: Buffer | undefined;
  /** With its charset. */
  media_type: string;
  /** For example `Content-Security-Policy`. */
  headers: Record<string, string> & { 'Cache-Control': string };
}

/** How an answer is encoded (RFC 9110, section 8.4.1). */
type Form = 'identity' | 'gzip' | 'br';

interface Resource {
  content: Content;
  /** Strong tags: each names one sequence of bytes. */
  etags: Record<Form, string>;
  forms: Record<Form, () => Promise<Buffer>>;
}

/** Answers GET and HEAD with what `make` returns, which is called once. */
export function published(make: () => Content): RequestHandler {
  const resource = once(() => resourceOf(make()));
  return (req, res) => send(req, res, resource());
}

/** A name for bytes, in 27 characters (160 bits). */
export function hashOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
}

/** The function's first result, again and again. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The best that a text is worth: it is compressed once in the life of a process. */
const thorough = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function resourceOf(content: Content): Resource {
  const bytes = Buffer.from(content.body);
  const hash = hashOf(bytes);
  const given = async () => bytes;
  const identity = content.gzipped ? once(() => promisify(gunzip)(bytes)) : given;
  return {
    content,
    etags: { identity: `"${hash}"`, gzip: `"${hash}-gzip"`, br: `"${hash}-br"` },
    forms: {
      identity,
      gzip: content.gzipped ? given : once(() => promisify(gzip)(bytes, { level: 9 })),
      br: content.brotli ? async () => content.brotli! : once(async () => brotli(await identity(), thorough)),
    },
  };
}

const brotli = promisify(brotliCompress);

/** The smallest first. */
const packed: readonly Form[] = ['br', 'gzip'];

async function send(req: Request, res: Response, { content, etags, forms }: Resource): Promise<void> {
  const form = packed.find((each) => req.acceptsEncodings([each]) === each) ?? 'identity';
  const { 'Cache-Control': caching } = content.headers;
  res.set({ ...content.headers, ...taggedHeaders(etags[form], caching), Vary: 'Accept-Encoding' });
  if (Object.values(etags).some((etag) => isUnmodified(req.headers['if-none-match'], etag))) {
    res.status(304).end();
    return;
  }
  const bytes = await forms[form]();
  if (form !== 'identity') res.set('Content-Encoding', form);
  res.set({ 'Content-Type': content.media_type, 'Content-Length': String(bytes.length) });
  res.status(200).end(req.method === 'HEAD' ? undefined : bytes);
}
