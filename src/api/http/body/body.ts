/** Reads a body within the size limit, only after the caller is authorized to send one. */
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { anyOf, t } from '../../../contract/languages/text.ts';
import { type FieldError, type FieldErrors, Problem, payloadTooLarge } from '../../../contract/problem.ts';
import type { FilesContext } from '../../../platform/files/context.ts';
import { decodeBase64, InvalidBase64 } from '../../../platform/files/inspect/base64.ts';
import type { ClaimedFile } from '../../../platform/files/inspect/receive-file.ts';
import { megabytes } from '../../../platform/values/megabytes.ts';
import type { OperationRecord } from '../operation-record.ts';
import { normalizeCoding } from './content-coding.ts';
import { parseJson, readJson, releaseBuffer } from './json-body.ts';

export interface Body {
  value: unknown;
  /** Equal for a retry of the same request. */
  identity: unknown;
  /** For a form, or JSON with a large base64 file. Errors of other fields are found later. */
  files?: ReceivedFiles;
}

interface ReceivedFiles {
  /** Whether the value is a form, which has its own validator. */
  isForm: boolean;
  /** Errors of the files, or of parts of the form. */
  errors: FieldErrors;
  /** Why a valid file is rejected nevertheless. */
  refusal: Problem | undefined;
  /** For JSON: the values that replace the base64 texts once all fields are validated. */
  replacements: Record<string, unknown>;
  /** Removes the received files when the request fails. The sweep removes what this misses. */
  discard(): Promise<void>;
}

export interface Receiver<T> {
  /** @throws validation errors of the part; 413 as soon as the limit is exceeded */
  receive(files: FilesContext, companyId: string, stream: Readable, claimed: ClaimedFile): Promise<T>;
  /** Removes the received file when the request fails. */
  discard(files: FilesContext, received: T): Promise<void>;
  /** Equal for identical files. */
  identity(received: T): unknown;
}

type Receivers = Readonly<Record<string, Readonly<Record<string, Receiver<unknown>>>>>;

export type ReadBody = (
  req: Request,
  res: Response,
  record: OperationRecord,
  companyId: string | undefined,
) => Promise<Body>;

/** @param defaultMaxBytes maximum body size after decompression, unless the operation sets its own */
export function bodyReader(receivers: Receivers, files: FilesContext, defaultMaxBytes: number): ReadBody {
  return async (req, res, record, companyId) => {
    if (!hasBody(req)) return { value: undefined, identity: undefined };
    const { accepts, max_body_bytes: maxBodyBytes = defaultMaxBytes } = record;
    const type = mediaType(req);
    if (!accepts.includes(type)) throw unsupportedMediaType(record);
    if (type === 'multipart/form-data')
      return formBody(receivers[record.operationId]!, files, req, res, record, companyId!);
    const part = record.form?.files[0];
    const receiver = part === undefined ? undefined : receivers[record.operationId]?.[part];
    const encoded = receiver && record.encoded;
    const maxRestBytes = Math.min(maxBodyBytes, defaultMaxBytes);
    const { value, text } = await readJson(req, res, { max_bytes: maxBodyBytes, maxRestBytes, encoded });
    if (!text) return { value, identity: value };
    const file = { name: encoded!, part: part!, text, receiver: receiver!, files, company_id: companyId! };
    return bodyWithFile(value as Record<string, unknown>, file);
  };
}

function hasBody(req: Request): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function mediaType(req: Request): string {
  return (req.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

/** PATCH reports its media types in `Accept-Patch` (RFC 5789, section 2.2). */
function unsupportedMediaType({ accepts, method }: OperationRecord): Problem {
  const headers: Record<string, string> = method === 'patch' ? { 'Accept-Patch': accepts.join(', ') } : {};
  return new Problem(415, 'unsupported_media_type', t`The request body must be ${anyOf(accepts)}.`, { headers });
}

interface EncodedFile {
  name: string;
  /** The name of the same file in a form. */
  part: string;
  text: Buffer;
  receiver: Receiver<unknown>;
  files: FilesContext;
  company_id: string;
}

/**
 * Decodes a base64 file in chunks into the receiver of the matching form part. A placeholder stands in for it until validation.
 */
async function bodyWithFile(fields: Record<string, unknown>, file: EncodedFile): Promise<Body> {
  const { name, part, text, receiver, files, company_id: companyId } = file;
  const { filename } = fields;
  const claimed = { filename: typeof filename === 'string' ? filename : '', media_type: '' };
  const received: unknown[] = [];
  const errors: FieldErrors = {};
  let refusal: Problem | undefined;
  try {
    const bytes = Readable.from(decodeBase64(text), { objectMode: false });
    received.push(await receiver.receive(files, companyId, bytes, claimed));
  } catch (error) {
    const found = fieldErrorsOf(error, part);
    if (found) errors[name] = found;
    else if (error instanceof Problem && error.status !== 413) refusal = error;
    else throw error;
  } finally {
    releaseBuffer(text);
  }
  const replacements = Object.fromEntries(received.map((each) => [name, each]));
  const identity = { ...fields, [name]: received.map((each) => receiver.identity(each)) };
  const discard = async () => {
    await Promise.allSettled(received.map((each) => receiver.discard(files, each)));
  };
  return { value: fields, identity, files: { isForm: false, errors, refusal, replacements, discard } };
}

function fieldErrorsOf(error: unknown, part: string): FieldError[] | undefined {
  if (error instanceof InvalidBase64) return [{ code: 'invalid_format', message: t`Must be valid base64.` }];
  if (!(error instanceof Problem) || error.code !== 'validation_error') return undefined;
  return (error.details as FieldErrors)[part];
}

async function formBody(
  parts: Receivers[string],
  files: FilesContext,
  req: Request,
  res: Response,
  { form, max_body_bytes: maxBodyBytes }: OperationRecord,
  companyId: string,
): Promise<Body> {
  // Clients don't compress forms, and the size of compressed parts couldn't be limited before decompression.
  normalizeCoding(req.headers);
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Problem(415, 'unsupported_media_type', t`A form can't be compressed.`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  // A declared length above the limit is rejected without reading.
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes!)
    throw payloadTooLarge(t`The form is larger than ${megabytes(maxBodyBytes!)} MB.`);
  const { rejectedFile, readForm } = await import('./multipart.ts'); // the form library is loaded with the first form
  const { fields, errors, refusal } = await readForm(req, res, {
    files: form!.files,
    max_bytes: maxBodyBytes!,
    receive: (name, stream, claimed) => parts[name]!.receive(files, companyId, stream, claimed),
    discard: (name, received) => parts[name]!.discard(files, received),
  });
  const allErrors = { ...parseJsonParts(fields, form!.json), ...errors };
  const received = form!.files.filter((name) => name in fields && fields[name] !== rejectedFile);
  const identities = received.map((name) => [name, parts[name]!.identity(fields[name])]);
  const discard = async () => {
    await Promise.allSettled(received.map((name) => parts[name]!.discard(files, fields[name])));
  };
  return {
    value: fields,
    identity: { ...fields, ...Object.fromEntries(identities) },
    files: { isForm: true, errors: allErrors, refusal, replacements: {}, discard },
  };
}

/** Parses in place. @returns the errors of parts that aren't valid JSON */
function parseJsonParts(fields: Record<string, unknown>, names: readonly string[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const name of names) {
    const text = fields[name];
    if (typeof text !== 'string') continue;
    try {
      fields[name] = parseJson(Buffer.from(text));
    } catch {
      fields[name] = text;
      errors[name] = [{ code: 'invalid_format', message: t`This part of a form must be JSON.` }];
    }
  }
  return errors;
}
