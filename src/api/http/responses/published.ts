/** Public content, rendered once per process, compressed off the event loop, with its hash as ETag: most requests get a 304. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { isUnmodified } from './preconditions.ts';
import { taggedHeaders } from './tagged-headers.ts';

export interface Content {
  body: string | Buffer;
  /** `body` compressed with brotli, if already available. */
  brotli?: Buffer | undefined;
  media_type: string;
  headers: Record<string, string> & { 'Cache-Control': string };
}

/** Content coding of a response (RFC 9110, section 8.4.1). */
type Form = 'identity' | 'gzip' | 'br';

interface Resource {
  content: Content;
  /** Strong tags: each identifies one sequence of bytes. */
  etags: Record<Form, string>;
  forms: Record<Form, () => Promise<Buffer>>;
}

/** Serves GET and HEAD with the result of `make`, which is called once. */
export function contentHandler(make: () => Content): RequestHandler {
  const resource = once(() => resourceOf(make()));
  return (req, res) => send(req, res, resource());
}

/** A content hash of 27 characters (160 bits). */
export function hashOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
}

export function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** High quality: each text is compressed once per process. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function resourceOf(content: Content): Resource {
  const bytes = Buffer.from(content.body);
  const hash = hashOf(bytes);
  return {
    content,
    etags: { identity: `"${hash}"`, gzip: `"${hash}-gzip"`, br: `"${hash}-br"` },
    forms: {
      identity: async () => bytes,
      gzip: once(() => promisify(gzip)(bytes, { level: 9 })),
      br: content.brotli ? async () => content.brotli! : once(async () => brotli(bytes, brotliOptions)),
    },
  };
}

const brotli = promisify(brotliCompress);

const compressedForms: readonly Form[] = ['br', 'gzip'];

async function send(req: Request, res: Response, { content, etags, forms }: Resource): Promise<void> {
  const form = compressedForms.find((each) => req.acceptsEncodings([each]) === each) ?? 'identity';
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
