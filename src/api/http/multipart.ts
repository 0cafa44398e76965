/**
 * Reads a form (`multipart/form-data`) while it arrives: each file is handed on as a stream, so that none is ever whole in
 * memory here. All faults are gathered, so that a client hears of every one at once; only what is too large ends the
 * reading at once.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { say, type Text } from '../../contract/languages/text.ts';
import {
  type FieldError,
  type FieldErrors,
  Problem,
  payloadTooLarge,
  validationError,
} from '../../contract/problem.ts';
import type { ClaimedFile } from '../../platform/files/inspect/receive-file.ts';
import { megabytes } from '../../platform/values/megabytes.ts';
import { hasReplacements } from './utf8.ts';

/** Far more than any form here needs. */
const limits = { fields: 20, files: 4, parts: 24, fieldSize: 65_536, fieldNameSize: 100, fieldNestingDepth: 0 };
/** How long a client may go on sending after it was told to stop. Without that it would not hear why. */
const lingerMs = 5_000;

interface Form {
  /** Texts, and what became of the files, by the name of the part. */
  fields: Record<string, unknown>;
  /** What is wrong with single parts already. */
  faults: FieldErrors;
  /** Why a file is refused although the form is right; told when nothing else is wrong. */
  refusal: Problem | undefined;
}

interface FormReader {
  /** The parts that are files. */
  files: readonly string[];
  receive(name: string, stream: Readable, claimed: ClaimedFile): Promise<unknown>;
  /** Removes what was received. */
  discard(name: string, received: unknown): Promise<unknown>;
  /** Of the whole form. */
  max_bytes: number;
}

/**
 * @returns what was received is the caller's then: to use, or to discard
 * @throws 400 for what is no form, 413, and when a file can't be kept; nothing that was received stays then
 */
export async function readForm(req: Request, res: Response, reader: FormReader): Promise<Form> {
  const reading = new Reading(reader);
  try {
    await new Promise<void>((resolve, reject) => {
      const storage: multer.StorageEngine = {
        _handleFile(_req, file, done) {
          reading.take(file).then(
            () => done(null, {}),
            (error) => {
              reject(error); // at once: multer would wait for the end of the request
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
    if (!req.complete) endLater(req, res);
    throw error;
  }
  if (req.body === undefined) throw brokenForm(); // multer passes over a Content-Type that it can't read
  return reading.form(req.body);
}

/** The files of one form. */
class Reading {
  readonly #reader: FormReader;
  /** By the name of their part. */
  readonly #fields = new Map<string, unknown>();
  readonly #faults = new Map<string, FieldError[]>();
  readonly #seen = new Set<string>();
  readonly #pending: Promise<void>[] = [];
  readonly #overflow = Promise.withResolvers<never>();
  /** Those that are still read. */
  readonly #parts = new Set<PassThrough>();
  #refusal: Problem | undefined;
  #bytes = 0;

  constructor(reader: FormReader) {
    this.#reader = reader;
  }

  /** Fails when it is too much altogether, wherever it stands: also what belongs nowhere, and what was refused already. */
  get overflow(): Promise<never> {
    return this.#overflow.promise;
  }

  /** @param bytes of the request that have arrived */
  count(bytes: number): void {
    const { max_bytes: maxBytes } = this.#reader;
    this.#bytes += bytes;
    if (this.#bytes <= maxBytes) return;
    const problem = payloadTooLarge(say`The form is larger than ${megabytes(maxBytes)} MB.`);
    this.#overflow.reject(problem);
    for (const part of this.#parts) part.destroy(problem);
  }

  /** @throws what ends the reading: 413, and faults of our own */
  take({ fieldname, stream, originalname, mimetype }: Express.Multer.File): Promise<void> {
    const part = this.#separate(stream);
    const known = this.#reader.files.includes(fieldname);
    const first = !this.#seen.has(fieldname);
    this.#seen.add(fieldname);
    if (known && !first) this.#fault(fieldname, { code: 'too_long', message: say`Must be one file.` });
    if (!known) this.#fields.set(fieldname, notTaken);
    const isNamed = !hasReplacements(originalname);
    if (!isNamed) this.#refuseEncoding(fieldname, say`The name of the file is not valid UTF-8.`);
    const taken = known && first && isNamed ? this.#receive(fieldname, part, originalname, mimetype) : drained(part);
    this.#pending.push(taken);
    return taken;
  }

  /** A stream of its own: whoever reads it may destroy it, and the form still has to be read to its end. */
  #separate(stream: Readable): Readable {
    const part = new PassThrough();
    this.#parts.add(part);
    stream.on('error', (cause) => part.destroy(brokenForm(cause)));
    stream.once('close', () => stream.readableEnded || part.destroy(brokenForm()));
    stream.pipe(part);
    part.on('error', () => {}); // whoever reads it hears of it
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
      part.destroy(); // where it was left in the middle
      this.#fields.set(name, notTaken);
      if (!(error instanceof Problem) || error.status === 413) throw error;
      if (error.code !== 'validation_error') this.#refusal = error;
      else for (const [field, faults] of Object.entries(error.details as FieldErrors)) this.#fault(field, ...faults);
    }
  }

  #refuseEncoding(field: string, message: Text): void {
    this.#fields.set(field, notTaken);
    this.#fault(field, { code: 'invalid_format', message });
  }

  #fault(field: string, ...faults: FieldError[]): void {
    this.#faults.set(field, [...(this.#faults.get(field) ?? []), ...faults]);
  }

  /** @param texts what multer found beside the files */
  form(texts: Record<string, unknown>): Form {
    for (const [name, value] of Object.entries(texts)) {
      if (this.#reader.files.includes(name)) this.#fault(name, { code: 'invalid_type', message: say`Must be a file.` });
      else if (typeof value === 'string' && hasReplacements(value))
        this.#refuseEncoding(name, say`Is not valid UTF-8.`);
      else if (!this.#fields.has(name)) this.#fields.set(name, value);
    }
    const fields = Object.fromEntries(this.#fields);
    return { fields, faults: Object.fromEntries(this.#faults), refusal: this.#refusal };
  }

  /** Once all is at rest. What can't be removed now is found by the sweep. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#pending);
    const { files } = this.#reader;
    const received = [...this.#fields].filter(([name, value]) => files.includes(name) && value !== notTaken);
    await Promise.allSettled(received.map(([name, value]) => this.#reader.discard(name, value)));
  }
}

/** In place of a file that was refused, or of one where none belongs: it is there, and it is not received. */
export const notTaken = Object.freeze({});

async function drained(part: Readable): Promise<void> {
  for await (const _ of part);
}

/** Answers are sent while the client may still be sending; it gets a while to notice. */
function endLater(req: Request, res: Response): void {
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
      return validationError({ [field]: [{ code: 'too_long', message: say`This text is too long.` }] });
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_FILE_COUNT':
    case 'LIMIT_PART_COUNT':
      return validationError({ body: [{ code: 'too_long', message: say`The form has too many parts.` }] });
    case 'LIMIT_FIELD_KEY':
      return validationError({
        body: [{ code: 'field_not_allowed', message: say`A part has a name that is too long.` }],
      });
    default:
      return error.field
        ? validationError({
            [field]: [{ code: 'field_not_allowed', message: say`No field of this name is known here.` }],
          })
        : brokenForm(error);
  }
}

function brokenForm(cause?: unknown): Problem {
  const message = say`The form is incomplete, or not written as multipart/form-data is.`;
  const { details } = validationError({ body: [{ code: 'invalid_format', message }] });
  return new Problem(400, 'validation_error', message, { details: details!, cause });
}
