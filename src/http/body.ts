/** Reads a JSON body within the size limit; called only once the caller is known to be allowed to send one. */
import express, { type Request, type Response } from 'express';
import { Problem } from '../errors.ts';

export type ReadBody = (req: Request, res: Response, accepts: string[]) => Promise<unknown>;

/** @param max_bytes largest body, counted after decompression */
export function bodyReader(max_bytes: number): ReadBody {
  const json = express.json({ limit: max_bytes, strict: false, type: () => true });
  return async (req, res, accepts) => {
    if (!hasBody(req)) return undefined;
    const type = mediaType(req);
    if (!accepts.includes(type)) throw unsupportedMediaType(accepts);
    await new Promise<void>((resolve, reject) => {
      json(req, res, (error?: unknown) => (error ? reject(bodyProblem(error, max_bytes)) : resolve()));
    });
    return req.body;
  };
}

function hasBody(req: Request): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function mediaType(req: Request): string {
  return (req.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

function unsupportedMediaType(accepts: string[]): Problem {
  return new Problem(415, 'unsupported_media_type', `The request body must be ${accepts.join(' or ')}.`);
}

/** body-parser's errors (http-errors with a `type`) as ours. */
function bodyProblem(error: unknown, max_bytes: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new Problem(413, 'payload_too_large', `The request body is larger than ${max_bytes} bytes.`);
  }
  if (status === 415) return new Problem(415, 'unsupported_media_type', 'The encoding of the body is not supported.');
  if (status === 400)
    return new Problem(400, 'malformed_json', 'The request body is not valid JSON.', { cause: error });
  return error;
}
