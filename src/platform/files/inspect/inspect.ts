/** Inspects a file while it is streamed, and rejects it at the first bad byte. Only its beginning and end stay in memory. */

import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { type Text, t } from '../../../contract/languages/text.ts';
import { type Problem, payloadTooLarge, validationError } from '../../../contract/problem.ts';
import { megabytes } from '../../values/megabytes.ts';
import { createTextCheck, looksLikeMarkup, type TextCheck } from '../text.ts';
import { extensionOf } from './names.ts';
import { typeByContent } from './type-by-content.ts';
import {
  allowsDeclaredType,
  type DocumentType,
  declaresNothing,
  plainMediaType,
  typeByExtension,
  typeByMediaType,
} from './types.ts';
import { zipTailBytes } from './zip.ts';

const headBytes = 8_192;
const archiveHeadBytes = 200;
/** Buffer size of one file in each direction: many arrive at the same time. */
const waitingBytes = 16_384;
/** Markup that a browser or server might execute if it misjudged the file's type. */
const hiddenMarkup = /<(?:script|html|svg|iframe|\?php|!doctype html)/i;

interface Claim {
  /** Sanitized by `safeName`. */
  name: string;
  media_type: string;
}

/** The checks common to all kinds of files. */
export abstract class InspectingStream extends Transform {
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #head: Buffer[] | undefined = [];
  #tail: Buffer[] = [];
  #tailBytes = 0;
  size = 0;

  constructor(maxBytes: number) {
    super({ highWaterMark: waitingBytes });
    this.#maxBytes = maxBytes;
  }

  /** In hex, of everything streamed so far; call once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** The last bytes: at least `zipTailBytes`, or the whole file if it is shorter. */
  tail(): Buffer {
    return Buffer.concat(this.#tail);
  }

  /** @throws when the first bytes show that the file is unacceptable */
  protected abstract checkHead(head: Buffer): Promise<void>;

  /** Checks all bytes, after `checkHead`. @throws like `checkHead` */
  protected abstract check(chunk: Buffer): void;

  /** @throws when the file must not end here */
  protected abstract checkEnd(): void;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pass(chunk).then((passed) => done(null, passed), done);
  }

  override _flush(done: TransformCallback): void {
    this.#finish().then((passed) => done(null, passed), done);
  }

  /** @returns the bytes to pass on: none until the beginning is checked */
  async #pass(chunk: Buffer): Promise<Buffer | undefined> {
    this.size += chunk.length;
    if (this.size > this.#maxBytes) throw payloadTooLarge(t`The file is larger than ${megabytes(this.#maxBytes)} MB.`);
    this.#hash.update(chunk);
    this.#retainTail(chunk);
    if (!this.#head) {
      this.check(chunk);
      return chunk;
    }
    this.#head.push(chunk);
    return this.size < headBytes ? undefined : this.#checkHead();
  }

  async #finish(): Promise<Buffer | undefined> {
    if (this.size === 0) throw refused('too_short', t`The file is empty.`);
    const rest = this.#head && (await this.#checkHead());
    this.checkEnd();
    return rest;
  }

  async #checkHead(): Promise<Buffer> {
    const head = Buffer.concat(this.#head!);
    this.#head = undefined;
    await this.checkHead(head);
    this.check(head);
    return head;
  }

  #retainTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    while (this.#tailBytes - this.#tail[0]!.length >= zipTailBytes) {
      this.#tailBytes -= this.#tail.shift()!.length;
    }
  }
}

export class Inspector extends InspectingStream {
  readonly #claim: Claim;
  #type: DocumentType | undefined;
  #text: TextCheck | undefined;
  /** The first bytes, enough to recognize an archive. */
  head = Buffer.alloc(0);

  constructor(claim: Claim, maxBytes: number) {
    super(maxBytes);
    this.#claim = claim;
  }

  /** The detected type; available once the file has been streamed. */
  get type(): DocumentType {
    return this.#type!;
  }

  protected async checkHead(head: Buffer): Promise<void> {
    this.#type = await typeOf(head, this.#claim);
    this.head = Buffer.from(head.subarray(0, archiveHeadBytes));
    if (this.#type.content === 'text') this.#text = createTextCheck(head);
  }

  protected check(chunk: Buffer): void {
    if (this.#text && !this.#text.accepts(chunk)) throw notOfItsType(this.#type!);
  }

  protected checkEnd(): void {
    if (this.#text && !this.#text.ends()) throw notOfItsType(this.#type!);
  }
}

/** @throws 400 when the type isn't accepted, or content, name, and declared type contradict each other */
async function typeOf(head: Buffer, claim: Claim): Promise<DocumentType> {
  const extension = extensionOf(claim.name);
  const named = typeByExtension(extension);
  if (extension && !named) throw notAccepted();
  const declared = plainMediaType(claim.media_type);
  const detected = declaresNothing(declared) && !named ? await byMagic(head) : undefined;
  const type = named ?? detected ?? typeByMediaType(declared);
  if (!type) throw notAccepted();
  if (!allowsDeclaredType(type, declared)) {
    throw refused(
      'invalid_format',
      t`By its name the file is ${kindOf(type)}, but it is sent as another kind of file.`,
    );
  }
  if (!(await agrees(type, head))) throw notOfItsType(type, await byMagic(head));
  return type;
}

async function agrees(type: DocumentType, head: Buffer): Promise<boolean> {
  if (type.content === 'text') return !looksLikeMarkup(head);
  if (type.content === 'office') return head.subarray(0, 4).equals(Buffer.from('PK\x03\x04')); // the directory at the end is checked later
  if (hiddenMarkup.test(head.toString('latin1'))) return false;
  return (await byMagic(head)) === type;
}

async function byMagic(head: Buffer): Promise<DocumentType | undefined> {
  const found = (await typeByContent(head)) ?? (isPdfInside(head) ? 'application/pdf' : undefined);
  if (found === 'image/heif' && isHeicInside(head)) return typeByMediaType('image/heic');
  const type = found === undefined ? undefined : typeByMediaType(found);
  return type?.content === 'magic' ? type : undefined;
}

/** Readers accept the header within 1,024 bytes, because programs write byte order marks or printer commands before it. */
function isPdfInside(head: Buffer): boolean {
  const at = head.subarray(0, 1_024).indexOf('%PDF-');
  return at > 0 && !head.subarray(0, at).includes('<');
}

/** The brand `mif1` is generic; the compatible brands after it show whether the image is HEVC, as in HEIC. */
function isHeicInside(head: Buffer): boolean {
  const brands = head.toString('latin1', 16, Math.min(head.readUInt32BE(0), 256));
  return /hei[cx]/.test(brands.match(/.{4}/gs)?.join(' ') ?? '');
}

function refused(code: 'too_short' | 'invalid_format', message: Text): Problem {
  return validationError({ file: [{ code, message }] });
}

export function notAccepted(): Problem {
  return refused(
    'invalid_format',
    t`Accepted are PDF, JPEG, PNG, WebP, HEIC, Word (docx), Excel (xlsx), OpenDocument (odt, ods), plain text and CSV.`,
  );
}

/** @param detected the actual type, if known */
export function notOfItsType(type: DocumentType, detected?: DocumentType): Problem {
  const message =
    detected && detected !== type
      ? t`The content of the file is ${kindOf(detected)}, but by its name it is ${kindOf(type)}. Rename the file so that it ends in .${detected.extensions[0]!}.`
      : t`The content of the file is not ${kindOf(type)}.`;
  return refused('invalid_format', message);
}

/** A human-readable name of the type. */
function kindOf({ extensions: [ending] }: DocumentType): Text | string {
  const names: Record<string, Text | string> = {
    ...{ pdf: 'PDF', jpg: 'JPEG', png: 'PNG', webp: 'WebP', heic: 'HEIC', csv: 'CSV', txt: t`plain text` },
    ...{ docx: t`a Word document (docx)`, xlsx: t`an Excel workbook (xlsx)` },
    ...{ odt: t`an OpenDocument text (odt)`, ods: t`an OpenDocument spreadsheet (ods)` },
  };
  return names[ending!] ?? ending!;
}
