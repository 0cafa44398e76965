/** Reads a JSON body: limits its structure before parsing, and leaves a large base64 file out of the parse. */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { t } from '../../../contract/languages/text.ts';
import { Problem, payloadTooLarge } from '../../../contract/problem.ts';
import { acceptedCodings, isDamaged, normalizeCoding } from './content-coding.ts';
import { examineJson, type LongText } from './json-structure.ts';
import { decodeUtf8, isWellFormedJson } from './utf8.ts';

interface JsonBody {
  value: unknown;
  /** The base64 file as sent; the value has a short placeholder. Release it with `releaseBuffer`. */
  text?: Buffer;
}

interface JsonBodyOptions {
  max_bytes: number;
  maxRestBytes: number;
  encoded: string | undefined;
}

/** @throws 413, 415 for an unsupported encoding, 400 `malformed_json` */
export async function readJson(
  req: Request,
  res: Response,
  { max_bytes: maxBytes, maxRestBytes, encoded }: JsonBodyOptions,
): Promise<JsonBody> {
  refuseCharset(req);
  const bytes = await readBytes(req, res, maxBytes);
  let isNeeded = false;
  try {
    const read = parseBody(bytes, maxRestBytes, encoded);
    isNeeded = read.text !== undefined;
    return read;
  } finally {
    if (!isNeeded) releaseBuffer(bytes);
  }
}

function parseBody(bytes: Buffer, maxRestBytes: number, encoded: string | undefined): JsonBody {
  if (bytes.length === 0) return { value: {} };
  if (encoded === undefined) return { value: parseJson(bytes) };
  const found = examineJson(bytes, { separateFields: [encoded], max_bytes: maxRestBytes });
  if (found.length === 0) return { value: parseUtf8Json(bytes) };
  const value = parseUtf8Json(withoutTexts(bytes, found)) as Record<string, unknown>;
  const last = found.at(-1)!;
  // With a duplicate field, the last one wins.
  return value[encoded] === placeholder ? { value, text: bytes.subarray(last.from, last.to) } : { value };
}

/** @throws 400 `malformed_json` */
export function parseJson(bytes: Buffer): unknown {
  examineJson(bytes);
  return parseUtf8Json(bytes);
}

const placeholder = 'AAAA';

function withoutTexts(bytes: Buffer, texts: LongText[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to } of texts) {
    pieces.push(bytes.subarray(at, from), Buffer.from(placeholder));
    at = to;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

function parseUtf8Json(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = decodeUtf8(bytes);
  } catch (cause) {
    throw new Problem(400, 'malformed_json', t`The request body is not valid UTF-8.`, { cause });
  }
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Problem(400, 'malformed_json', t`The request body is not valid JSON.`, { cause });
  }
  if (isWellFormedJson(text, value)) return value;
  const message = t`The JSON contains an unpaired surrogate, such as \\ud83d alone.`;
  throw new Problem(400, 'malformed_json', message);
}

/** JSON between systems is UTF-8 (RFC 8259, section 8.1). Another encoding could hide structure in strings. */
function refuseCharset({ headers }: Request): void {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new Problem(415, 'unsupported_media_type', t`JSON must be encoded in UTF-8.`);
}

/** Smaller buffers share a memory pool. */
const largeBytes = 65_536;

/** Frees a large body immediately: several would pile up before the next garbage collection. */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (byteLength >= largeBytes && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

const readers = new Map<number, RequestHandler>();

async function readBytes(req: Request, res: Response, maxBytes: number): Promise<Buffer> {
  normalizeCoding(req.headers);
  const length = Number(req.headers['content-length']);
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (length >= largeBytes && length <= maxBytes && encoding === 'identity') return readInto(req, length);
  const read = readers.get(maxBytes) ?? express.raw({ limit: maxBytes, type: () => true });
  readers.set(maxBytes, read);
  await new Promise<void>((resolve, reject) => {
    read(req, res, (error?: unknown) => (error ? reject(bodyProblem(error, maxBytes)) : resolve()));
  });
  const bytes = req.body as Buffer | undefined;
  req.body = undefined; // may be large, and the request stays until its response is sent
  return bytes ?? Buffer.alloc(0);
}

/** Reads into the final buffer: concatenating chunks would need twice the memory. */
async function readInto(req: Request, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) at += chunk.copy(bytes, at);
  } catch (cause) {
    throw new Problem(400, 'malformed_json', t`The request body is not valid JSON.`, { cause }); // the client disconnected
  }
  return bytes.subarray(0, at);
}

function bodyProblem(error: unknown, maxBytes: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return payloadTooLarge(t`The request body is larger than ${maxBytes} bytes.`);
  if (status === 415)
    return new Problem(415, 'unsupported_media_type', t`The encoding of the body is not supported.`, {
      headers: { 'Accept-Encoding': acceptedCodings },
    });
  if (isDamaged(error))
    return new Problem(400, 'malformed_json', t`The request body can't be decompressed: it is damaged.`, {
      cause: error,
    });
  if (status === 400)
    return new Problem(400, 'malformed_json', t`The request body is not valid JSON.`, { cause: error });
  return error;
}
