/** Receives an import file. Immediately rejects unsupported files by their first bytes, or a workbook's list of parts. */
import type { Readable } from 'node:stream';
import { t } from '../../contract/languages/text.ts';
import { Problem, validationError } from '../../contract/problem.ts';
import type { FilesContext } from '../../platform/files/context.ts';
import { InspectingStream } from '../../platform/files/inspect/inspect.ts';
import { extensionOf, safeName } from '../../platform/files/inspect/names.ts';
import { type ClaimedFile, storeFile, zipListBytes } from '../../platform/files/inspect/receive-file.ts';
import { findZipList, zipParts } from '../../platform/files/inspect/zip.ts';
import { newKey, type Storage } from '../../platform/files/store/storage.ts';
import { damaged, SheetError } from '../../platform/sheets/model/error.ts';
import { readLimits, type SheetFormat } from '../../platform/sheets/model/types.ts';
import { refuseOtherThanText } from '../../platform/sheets/text/encoding.ts';
import { archiveEnd, macros, passwordProtected, refusePart } from '../../platform/sheets/xml/archive.ts';
import { isContainer } from '../../platform/sheets/xml/container.ts';
import { plainPath } from '../../platform/sheets/xml/part-paths.ts';

const maxImportBytes = readLimits.fileBytes;

export interface ReceivedImport {
  key: string;
  /** Safe to display, and as a file name anywhere. */
  filename: string;
  format: SheetFormat;
  size: number;
  sha256: string;
}

type UploadContext = Pick<FilesContext, 'storage' | 'scanner'>;

/** @throws 413 `payload_too_large`, 400 with an error of the field `file`, 422 `import_unreadable` or `file_infected`, 503 */
export async function receiveImport(
  files: UploadContext,
  companyId: string,
  stream: Readable,
  claimed: Pick<ClaimedFile, 'filename'>,
): Promise<ReceivedImport> {
  const key = newKey(companyId, 'imports');
  const filename = safeName(claimed.filename);
  const passing = new PassingSheet(filename);
  await storeFile(files, key, stream, passing, () => inspectArchive(files.storage, key, passing)).catch(asProblem);
  const { format, size } = passing;
  return { key, filename, format, size, sha256: passing.sha256() };
}

const marks = {
  protected: Buffer.from('EncryptedPackage', 'utf16le'),
  macros: Buffer.from('_VBA_PROJECT_CUR', 'utf16le'),
};
/** Some programs use capitals; `Book` is Excel 95's. */
const marksOfWorkbook = ['Workbook', 'WORKBOOK', 'Book', 'BOOK'].map((name) => Buffer.from(name, 'utf16le'));
const maxMark = Math.max(...[...Object.values(marks), ...marksOfWorkbook].map(({ length }) => length));

type Wrapping = 'text' | 'container' | 'archive';

class PassingSheet extends InspectingStream {
  readonly #filename: string;
  #rest = Buffer.alloc(0);
  #hasWorkbook = false;
  wrapping: Wrapping = 'text';
  /** The type that an OpenDocument file declares at its start. */
  media_type: string | undefined;
  /** Detected from the content; for archives from their part list. */
  format: SheetFormat = 'csv';

  constructor(filename: string) {
    super(maxImportBytes);
    this.#filename = filename;
  }

  /** @throws 400 if the file extension contradicts the content; other extensions are ignored */
  refuseName(): void {
    const extension = extensionOf(this.#filename);
    if ((extension !== 'xlsx' && extension !== 'csv') || extension === this.format) return;
    const message = t`The name ends in .${extension}, but the content is ${this.format}.`;
    throw validationError({ file: [{ code: 'invalid_format', message }] });
  }

  protected async checkHead(head: Buffer): Promise<void> {
    if (isContainer(head)) {
      this.wrapping = 'container'; // scanned on the way for marks of protection and macros
      this.format = 'xls';
      return;
    }
    if (head.subarray(0, 2).equals(Buffer.from('PK')) && head[2]! < 9) {
      this.wrapping = 'archive';
      this.media_type = declaredMediaType(head);
      return;
    } else refuseOtherThanText(head);
    this.refuseName();
  }

  protected check(chunk: Buffer): void {
    if (this.wrapping !== 'container') return;
    const searched = Buffer.concat([this.#rest, chunk]);
    if (searched.includes(marks.protected)) throw passwordProtected();
    if (searched.includes(marks.macros)) throw macros();
    this.#hasWorkbook ||= marksOfWorkbook.some((mark) => searched.includes(mark));
    this.#rest = searched.subarray(-maxMark);
  }

  protected checkEnd(): void {
    if (this.wrapping !== 'container') return;
    if (!this.#hasWorkbook) throw notAWorkbook();
    this.refuseName();
  }
}

/** Content of an OpenDocument file's first part, which isn't compressed (ODF 1.3, part 2, 3.3). */
function declaredMediaType(head: Buffer): string | undefined {
  const isPacked = head.length < 30 || head.readUInt16LE(8) !== 0;
  return isPacked ? undefined : /^mimetype([a-z./-]+)/.exec(head.toString('latin1', 30, 130))?.[1];
}

/** @throws SheetError for an unsafe archive, or one that isn't a workbook */
async function inspectArchive(storage: Storage, key: string, passed: PassingSheet): Promise<void> {
  if (passed.wrapping !== 'archive') return;
  const bufferedTail = passed.tail();
  const tail = bufferedTail.subarray(0, archiveEnd(bufferedTail, passed.size - bufferedTail.length));
  const size = passed.size - bufferedTail.length + tail.length;
  const list = findZipList(tail, size);
  const parts = list && zipParts(await zipListBytes(storage, key, list, tail, size));
  if (!parts) throw damaged(t`its list of parts can't be read`);
  let expanded = 0;
  for (const part of parts) {
    expanded += part.unpackedBytes;
    refusePart(part, expanded, readLimits);
  }
  passed.format = workbookKind(new Set(parts.map(({ name }) => plainPath(name))), passed.media_type);
  passed.refuseName();
}

function workbookKind(names: ReadonlySet<string>, mediaType: string | undefined): SheetFormat {
  if (names.has('mimetype') && names.has('content.xml')) {
    if (mediaType === undefined || mediaType.endsWith('.spreadsheet')) return 'ods';
  } else if (
    names.has('[content_types].xml') &&
    !names.has('word/document.xml') &&
    !names.has('ppt/presentation.xml')
  ) {
    return names.has('xl/workbook.bin') ? 'xlsb' : 'xlsx';
  }
  throw notAWorkbook();
}

function notAWorkbook(): SheetError {
  return new SheetError('not_a_workbook', t`The file is not a workbook (xlsx, xls, xlsb or ods).`);
}

const reasons: Partial<Record<SheetError['code'], string>> = {
  damaged: 'damaged',
  password_protected: 'encrypted',
  macros: 'macros',
  expands_too_much: 'expands_too_much',
};

function asProblem(error: unknown): never {
  if (!(error instanceof SheetError)) throw error;
  const reason = reasons[error.code] ?? 'not_a_table';
  throw new Problem(422, 'import_unreadable', error.text, { details: { reason }, cause: error });
}
