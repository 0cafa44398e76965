/**
 * Streams a form (`multipart/form-data`), so that no file is fully in memory. Reports all errors together; only an exceeded size
 * limit stops the read.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { type Text, t } from '../../../contract/languages/text.ts';
import {
  type FieldError,
  type FieldErrors,
  Problem,
  payloadTooLarge,
  validationError,
} from '../../../contract/problem.ts';
import { unknownName } from '../../../contract/unknown-name.ts';
import type { ClaimedFile } from '../../../platform/files/inspect/receive-file.ts';
import { megabytes } from '../../../platform/values/megabytes.ts';
import { hasReplacements } from './utf8.ts';

/** Far above what any form needs. */
const limits = { fields: 20, files: 4, parts: 24, fieldSize: 65_536, fieldNameSize: 100, fieldNestingDepth: 0 };
/** Grace period for a client to stop sending and read the error response. */
const lingerMs = 5_000;

interface Form {
  fields: Record<string, unknown>;
  errors: FieldErrors;
  /** Why a valid file is rejected; reported when there are no other errors. */
  refusal: Problem | undefined;
}

interface FormReader {
  files: readonly string[];
  receive(name: string, stream: Readable, claimed: ClaimedFile): Promise<unknown>;
  discard(name: string, received: unknown): Promise<unknown>;
  max_bytes: number;
}

/**
 * @returns the form; the caller uses or discards the received files
 * @throws 400 for an invalid form, 413, and storage errors; received files are removed first
 */
export async function readForm(req: Request, res: Response, reader: FormReader): Promise<Form> {
  const reading = new FormReading(reader);
  try {
    await new Promise<void>((resolve, reject) => {
      const storage: multer.StorageEngine = {
        _handleFile(_req, file, done) {
          reading.addFile(file).then(
            () => done(null, {}),
            (error) => {
              reject(error); // multer would wait for the end of the request
              done(error);
            },
          );
        },
        _removeFile: (_req, _file, done) => done(null),
      };
      reading.overflow.catch(reject);
      const read = multer({ storage, limits, defParamCharset: 'utf8' }).any();
      read(req, res, (error?: unknown) => (error ? reject(formProblem(error)) : resolve()));
      req.on('data', (chunk: Buffer) => reading.count(chunk.length));
    });
  } catch (error) {
    void reading.discard();
    if (!req.complete) closeAfterResponse(req, res);
    throw error;
  }
  if (req.body === undefined) throw brokenForm(); // multer ignores an unparsable Content-Type
  return reading.form(req.body);
}

class FormReading {
  readonly #reader: FormReader;
  readonly #fields = new Map<string, unknown>();
  readonly #errors = new Map<string, FieldError[]>();
  readonly #seenFields = new Set<string>();
  readonly #pending: Promise<void>[] = [];
  readonly #overflow = Promise.withResolvers<never>();
  readonly #parts = new Set<PassThrough>();
  #refusal: Problem | undefined;
  #bytes = 0;

  constructor(reader: FormReader) {
    this.#reader = reader;
  }

  /** Rejects when the form exceeds its limit, counting unknown and rejected parts too. */
  get overflow(): Promise<never> {
    return this.#overflow.promise;
  }

  count(bytes: number): void {
    const { max_bytes: maxBytes } = this.#reader;
    this.#bytes += bytes;
    if (this.#bytes <= maxBytes) return;
    const problem = payloadTooLarge(t`The form is larger than ${megabytes(maxBytes)} MB.`);
    this.#overflow.reject(problem);
    for (const part of this.#parts) part.destroy(problem);
  }

  /** @throws errors that stop the read: 413, and internal errors */
  addFile({ fieldname, stream, originalname, mimetype }: Express.Multer.File): Promise<void> {
    const part = this.#separate(stream);
    const known = this.#reader.files.includes(fieldname);
    const first = !this.#seenFields.has(fieldname);
    this.#seenFields.add(fieldname);
    if (known && !first) this.#addErrors(fieldname, { code: 'too_long', message: t`Must be one file.` });
    if (!known) this.#fields.set(fieldname, rejectedFile);
    const isNamed = !hasReplacements(originalname);
    if (!isNamed) this.#refuseEncoding(fieldname, t`The name of the file is not valid UTF-8.`);
    const completion = known && first && isNamed ? this.#receive(fieldname, part, originalname, mimetype) : drain(part);
    this.#pending.push(completion);
    return completion;
  }

  /** A separate stream: its reader may destroy it, while the rest of the form must still be read. */
  #separate(stream: Readable): Readable {
    const part = new PassThrough();
    this.#parts.add(part);
    stream.on('error', (cause) => part.destroy(brokenForm(cause)));
    stream.once('close', () => stream.readableEnded || part.destroy(brokenForm()));
    stream.pipe(part);
    part.on('error', () => {}); // the reader handles the error
    part.once('close', () => {
      this.#parts.delete(part);
      stream.resume();
    });
    return part;
  }

  async #receive(name: string, part: Readable, filename: string, mediaType: string): Promise<void> {
    try {
      this.#fields.set(name, await this.#reader.receive(name, part, { filename, media_type: mediaType }));
    } catch (error) {
      part.destroy(); // in case it wasn't read to the end
      this.#fields.set(name, rejectedFile);
      if (!(error instanceof Problem) || error.status === 413) throw error;
      if (error.code !== 'validation_error') this.#refusal = error;
      else
        for (const [field, errors] of Object.entries(error.details as FieldErrors)) this.#addErrors(field, ...errors);
    }
  }

  #refuseEncoding(field: string, message: Text): void {
    this.#fields.set(field, rejectedFile);
    this.#addErrors(field, { code: 'invalid_format', message });
  }

  #addErrors(field: string, ...errors: FieldError[]): void {
    this.#errors.set(field, [...(this.#errors.get(field) ?? []), ...errors]);
  }

  form(texts: Record<string, unknown>): Form {
    for (const [name, value] of Object.entries(texts)) {
      if (this.#reader.files.includes(name))
        this.#addErrors(name, { code: 'invalid_type', message: t`Must be a file.` });
      else if (typeof value === 'string' && hasReplacements(value)) this.#refuseEncoding(name, t`Is not valid UTF-8.`);
      else if (!this.#fields.has(name)) this.#fields.set(name, value);
    }
    const fields = Object.fromEntries(this.#fields);
    return { fields, errors: Object.fromEntries(this.#errors), refusal: this.#refusal };
  }

  /** Waits for pending parts first. The sweep removes what this misses. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#pending);
    const { files } = this.#reader;
    const received = [...this.#fields].filter(([name, value]) => files.includes(name) && value !== rejectedFile);
    await Promise.allSettled(received.map(([name, value]) => this.#reader.discard(name, value)));
  }
}

/** Placeholder for a rejected or unexpected file: present, but not received. */
export const rejectedFile = Object.freeze({});

async function drain(part: Readable): Promise<void> {
  for await (const _ of part);
}

/** The response may be sent while the client is still sending; give it time to notice. */
function closeAfterResponse(req: Request, res: Response): void {
  res.once('finish', () => {
    setTimeout(() => req.complete || req.destroy(), lingerMs).unref();
  });
}

function formProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof MulterError)) return brokenForm(error);
  const field = error.field ?? 'body';
  switch (error.code) {
    case 'LIMIT_FIELD_VALUE':
      return validationError({ [field]: [{ code: 'too_long', message: t`This text is too long.` }] });
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_PART_COUNT':
      return validationError({ body: [{ code: 'too_long', message: t`The form has too many parts.` }] });
    case 'LIMIT_FIELD_KEY':
      return validationError({
        body: [{ code: 'field_not_allowed', message: t`A part has a name that is too long.` }],
      });
    default:
      return error.field ? validationError({ [field]: [unknownName(field, [])] }) : brokenForm(error);
  }
}

function brokenForm(cause?: unknown): Problem {
  const message = t`The form is incomplete or not valid multipart/form-data.`;
  const { details } = validationError({ body: [{ code: 'invalid_format', message }] });
  return new Problem(400, 'validation_error', message, { details: details!, cause });
}
