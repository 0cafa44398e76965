/** Reads the rows of a csv file in any encoding and with any delimiter. */
import { Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { t } from '../../../contract/languages/text.ts';
import { SheetError } from '../model/error.ts';
import { restore } from '../model/formula-escape.ts';
import { columnLetter } from '../model/letters.ts';
import type { Effort } from '../model/time-limit.ts';
import type { Cell, ReadLimits, Row } from '../model/types.ts';
import { unquotedLine, unquotedLines } from '../quoted-lines.ts';
import { encodingOf, utf8Pieces } from '../text/encoding.ts';
import type { Table } from '../xlsx/read-xlsx.ts';
import { likelyDelimiter } from './delimiter.ts';

/** Of one row, including delimiters and quoted line breaks. */
const maxRowMb = 2;
const maxRowBytes = maxRowMb * 1024 * 1024;
/** Including empty rows; the limit of a spreadsheet. */
const maxRows = 1_048_576;
const groupRows = 500;

/** @param encoding as declared by the sender; by default detected from the content */
export async function readCsv(
  bytes: Buffer,
  encoding: string | undefined,
  limits: ReadLimits,
  effort: Effort,
): Promise<Table> {
  const found = await encodingOf(bytes, encoding);
  const head = firstPiece(utf8Pieces(bytes, found));
  const declared = /^sep=(.)\r?\n/.exec(head); // a line for Excel, which doesn't display it
  const inner = unquotedLines(head);
  const delimiter = declared?.[1] ?? likelyDelimiter(inner ?? head);
  const pieces = skipping(utf8Pieces(bytes, found), declared?.[0].length ?? 0);
  return {
    info: { format: 'csv', encoding: found.encoding, ...(found.guess && { encoding_guess: found.guess }), delimiter },
    groups: readRows(inner === undefined ? pieces : linesWithin(pieces, delimiter), delimiter, limits, effort),
  };
}

function parserOf(delimiter: string, onRecord?: (record: string[]) => void): Parser {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true, // inside a cell that doesn't start with a quote
    trim: true, // outside quotes only
    max_record_size: maxRowBytes,
    on_record(record: string[]) {
      onRecord?.(record);
      return record;
    },
  });
  expectAnyLength(parser);
  return parser;
}

/**
 * For each row with another number of cells than the first, csv-parse creates an error with a copy of the row, and only counts
 * it: 100,000 such rows took 5.5 s to read, and take 1.6 s without. Here every length is the expected one. A getter instead would make
 * all rows five times as slow, because V8 then keeps the parser's state as a hash table. To switch it off, don't call this.
 */
function expectAnyLength(parser: Parser): void {
  const { api } = parser as unknown as { api: ParserInternals };
  const endRow = api.__onRecord;
  api.__onRecord = function (push) {
    this.state.expectedRecordLength = this.state.record.length;
    return endRow.call(this, push);
  };
}

interface ParserInternals {
  state: { record: unknown[]; expectedRecordLength: number };
  __onRecord(this: ParserInternals, push: unknown): unknown;
}

/** Unwraps lines that are quoted as a whole. */
async function* linesWithin(pieces: Iterable<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const parser = parserOf(delimiter);
  const source = Readable.from(pieces);
  source.on('error', (error) => parser.destroy(error));
  for await (const record of source.pipe(parser)) {
    yield Buffer.from(`${unquotedLine(record, delimiter)}\n`);
  }
}

async function* readRows(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  delimiter: string,
  limits: ReadLimits,
  effort: Effort,
): AsyncGenerator<Row[]> {
  let parsed = 0; // the parser is ahead of its consumer
  const parser = parserOf(delimiter, (record) => refuseFields(record, ++parsed, limits));
  const source = Readable.from(withinRows(pieces, () => parsed, effort));
  source.on('error', (error) => parser.destroy(error));
  let rows: Row[] = [];
  let row = 0;
  let rowCount = 0;
  try {
    for await (const record of source.pipe(parser)) {
      const texts: string[] = record;
      row++;
      const cells = cellsOf(texts, row, limits);
      if (cells.length === 0) continue;
      if (++rowCount > limits.rows) {
        throw new SheetError('too_many_rows', t`The file has more than ${limits.rows} rows.`, { limit: limits.rows });
      }
      rows.push({ row, cells });
      if (rows.length < groupRows) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? csvError(error) : error;
  } finally {
    source.destroy();
  }
  if (rows.length > 0) yield rows;
}

/** Enforces the row size while streaming, because the parser's own limit doesn't count delimiters. */
async function* withinRows(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  parsed: () => number,
  effort: Effort,
): AsyncGenerator<Buffer> {
  let finished = 0;
  let rowBytes = 0;
  for await (const piece of pieces) {
    yield piece;
    rowBytes = parsed() === finished ? rowBytes + piece.length : 0;
    finished = parsed();
    effort.check();
    if (rowBytes > maxRowBytes) throw longRow(finished + 1);
  }
}

/** @param row counted from 1 */
function refuseFields({ length }: string[], row: number, { fields: limit }: ReadLimits): void {
  if (row > maxRows) {
    const message = t`The file has more than ${maxRows} lines, most of them empty. Remove the empty ones.`;
    throw new SheetError('too_many_rows', message, { limit: maxRows });
  }
  if (length <= limit) return;
  const details = { row, column: columnLetter(limit), limit };
  throw new SheetError('too_many_columns', t`The file has more than ${limit} columns.`, details);
}

function cellsOf(texts: string[], row: number, limits: ReadLimits): Cell[] {
  let length = texts.length;
  while (length > 0 && texts[length - 1] === '') length--;
  if (length > limits.columns) {
    const details = { row, column: columnLetter(length - 1), limit: limits.columns };
    throw new SheetError('too_many_columns', t`The file has more than ${limits.columns} columns.`, details);
  }
  const cells: Cell[] = [];
  for (let column = 0; column < length; column++) {
    const text = texts[column]!;
    if (text.length > limits.cell_chars + 1) {
      const details = { row, column: columnLetter(column), limit: limits.cell_chars };
      throw new SheetError('cell_too_long', t`A cell has more than ${limits.cell_chars} characters.`, details);
    }
    cells.push(text === '' ? null : restore(text));
  }
  return cells;
}

function csvError(error: CsvError): SheetError {
  const row = Number(error.records) + 1; // the parser is ahead of its consumer
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return longRow(row, error);
  }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    const message = t`The file can't be read as csv: a quote is not closed.`;
    return new SheetError('damaged', message, { row }, error);
  }
  // The end of such a cell is ambiguous, so the following cells can't be trusted.
  const column = columnLetter(Number(error.index));
  const message = t`Cell ${column}${row} continues after its closing quote. Quotes within a quoted cell have to be doubled.`;
  return new SheetError('damaged', message, { row, column }, error);
}

function longRow(row: number, cause?: unknown): SheetError {
  const limit = maxRowBytes;
  return new SheetError('cell_too_long', t`A row has more than ${maxRowMb} MB.`, { row, limit }, cause);
}

function firstPiece(pieces: Generator<Buffer>): string {
  for (const piece of pieces) return piece.toString();
  return '';
}

/** @param bytes ASCII characters to skip, all in the first chunk */
function* skipping(pieces: Iterable<Buffer>, bytes: number): Generator<Buffer> {
  let skip = bytes;
  for (const piece of pieces) {
    yield skip > 0 ? piece.subarray(skip) : piece;
    skip = 0;
  }
}
