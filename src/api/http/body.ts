/** Reads a body within the size limit; called only once the caller is known to be allowed to send one. */
import type { Readable } from 'node:stream';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { type FieldErrors, Problem, payloadTooLarge } from '../../contract/problem.ts';
import type { FilesContext } from '../../platform/files/context.ts';
import type { ClaimedFile } from '../../platform/files/receive-file.ts';
import { isTooDeep, max_json_depth } from './json-depth.ts';
import { notTaken, readForm } from './multipart.ts';
import type { OperationRecord } from './operation-record.ts';

export interface Body {
  /** As the handler gets it: undefined for none. */
  value: unknown;
  /** Equal for a request that is sent again. */
  identity: unknown;
  /** Of a form; JSON is read as a whole, and whatever is wrong with its fields is found later. */
  form?: {
    /** What is wrong with its files. */
    faults: FieldErrors;
    /** Why a file is refused although it is right. */
    refusal: Problem | undefined;
    /** Removes what was received, when nothing comes of the request. What can't be removed now is found by the sweep. */
    discard(): Promise<void>;
  };
}

export interface Receiver<T> {
  /** @throws validation errors of the part, 413 as soon as it is too much */
  receive(files: FilesContext, company_id: string, stream: Readable, claimed: ClaimedFile): Promise<T>;
  /** Removes what was received, when nothing comes of the request. */
  discard(files: FilesContext, received: T): Promise<void>;
  /** Equal for files that are the same. */
  identity(received: T): unknown;
}

/** By operation and part of its form. */
type Receivers = Readonly<Record<string, Readonly<Record<string, Receiver<unknown>>>>>;

export type ReadBody = (
  req: Request,
  res: Response,
  record: OperationRecord,
  company_id: string | undefined,
) => Promise<Body>;

/**
 * @param receivers what becomes of the files in a form
 * @param files where they may go
 * @param usual_max_bytes largest body, counted after decompression, where the operation names no other limit
 */
export function bodyReader(receivers: Receivers, files: FilesContext, usual_max_bytes: number): ReadBody {
  return async (req, res, record, company_id) => {
    if (!hasBody(req)) return { value: undefined, identity: undefined };
    const { accepts, max_body_bytes = usual_max_bytes } = record;
    const type = mediaType(req);
    if (!accepts.includes(type)) throw unsupportedMediaType(accepts);
    if (type === 'multipart/form-data')
      return formBody(receivers[record.operationId]!, files, req, res, record, company_id!);
    const value = await readJson(req, res, max_body_bytes);
    return { value, identity: value };
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

/** By limit. */
const jsonReaders = new Map<number, RequestHandler>();

async function readJson(req: Request, res: Response, max_bytes: number): Promise<unknown> {
  const json = jsonReaders.get(max_bytes) ?? express.json({ limit: max_bytes, strict: false, type: () => true });
  jsonReaders.set(max_bytes, json);
  await new Promise<void>((resolve, reject) => {
    json(req, res, (error?: unknown) => (error ? reject(bodyProblem(error, max_bytes)) : resolve()));
  });
  if (isTooDeep(req.body)) {
    throw new Problem(400, 'malformed_json', `The JSON is nested deeper than ${max_json_depth} levels.`);
  }
  return req.body;
}

/** body-parser's errors (http-errors with a `type`) as ours. */
function bodyProblem(error: unknown, max_bytes: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return payloadTooLarge('The request body', max_bytes);
  if (status === 415) return new Problem(415, 'unsupported_media_type', 'The encoding of the body is not supported.');
  if (status === 400)
    return new Problem(400, 'malformed_json', 'The request body is not valid JSON.', { cause: error });
  return error;
}

async function formBody(
  parts: Receivers[string],
  files: FilesContext,
  req: Request,
  res: Response,
  { form, max_body_bytes }: OperationRecord,
  company_id: string,
): Promise<Body> {
  // What says itself that it is too large is not read at all.
  if (Number(req.headers['content-length'] ?? 0) > max_body_bytes!) throw payloadTooLarge('The form', max_body_bytes!);
  const { fields, faults, refusal } = await readForm(req, res, {
    files: form!.files,
    max_bytes: max_body_bytes!,
    receive: (name, stream, claimed) => parts[name]!.receive(files, company_id, stream, claimed),
    discard: (name, received) => parts[name]!.discard(files, received),
  });
  const all_faults = { ...parseJsonParts(fields, form!.json), ...faults };
  const received = form!.files.filter((name) => name in fields && fields[name] !== notTaken);
  const identities = received.map((name) => [name, parts[name]!.identity(fields[name])]);
  const discard = async () => {
    await Promise.allSettled(received.map((name) => parts[name]!.discard(files, fields[name])));
  };
  return {
    value: fields,
    identity: { ...fields, ...Object.fromEntries(identities) },
    form: { faults: all_faults, refusal, discard },
  };
}

/** In place. @returns what is wrong with those that are no JSON */
function parseJsonParts(fields: Record<string, unknown>, names: readonly string[]): FieldErrors {
  const faults: FieldErrors = {};
  for (const name of names) {
    const text = fields[name];
    if (typeof text !== 'string') continue;
    try {
      fields[name] = JSON.parse(text);
      if (isTooDeep(fields[name])) throw new RangeError('nested too deep');
    } catch {
      fields[name] = text;
      faults[name] = [{ code: 'invalid_format', message: 'This part of a form must be JSON.' }];
    }
  }
  return faults;
}
