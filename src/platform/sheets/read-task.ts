/** The task of a reading thread: reads one file and sends its rows in groups, only as many as requested (backpressure). */

import { readFile, stat } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import { type StoredText, t } from '../../contract/languages/text.ts';
import { readCsv } from './csv/read-csv.ts';
import { SheetError, type SheetErrorCode, type SheetErrorDetails } from './model/error.ts';
import { TextCount } from './model/limits.ts';
import { Effort } from './model/time-limit.ts';
import type { ReadLimits, Row, TableInfo } from './model/types.ts';
import { readOds } from './ods/read-ods.ts';
import type { SheetMarks } from './sheet-marks.ts';
import { readXls } from './xls/read-xls.ts';
import { readXlsb } from './xls/read-xlsb.ts';
import { readXlsx, type Table } from './xlsx/read-xlsx.ts';
import { mainPart } from './xlsx/workbook.ts';
import { openArchive } from './xml/archive.ts';
import { isContainer } from './xml/container.ts';

export interface ReadTask {
  /** The path of the file, or its bytes. */
  source: string | Uint8Array;
  sheet: string | undefined;
  encoding: string | undefined;
  limits: ReadLimits;
  /** The channel for rows. Each incoming message requests another group. */
  port: MessagePort;
}

export type ReadMessage =
  | { kind: 'started' }
  | { kind: 'info'; info: TableInfo }
  | { kind: 'rows'; rows: Row[] }
  | { kind: 'end'; marks?: SheetMarks }
  | { kind: 'refused'; code: SheetErrorCode; text: StoredText; details: SheetErrorDetails }
  /** A bug in the reader. */
  | { kind: 'broken'; error: string };

const groupRows = 500;
const groupChars = 1024 * 1024;

/** Never rejects because of a bad file: errors are sent as messages. */
export async function read({ source, sheet, encoding, limits, port }: ReadTask): Promise<void> {
  const requested = new RequestedGroups(port);
  const send = (message: ReadMessage) => port.postMessage(message);
  let isRead = false;
  try {
    send({ kind: 'started' });
    const bytes = await bytesOf(source, limits);
    isRead = true;
    const effort = new Effort(limits);
    const { info, groups, marks } = await openTable(bytes, sheet, encoding, limits, effort);
    send({ kind: 'info', info });
    for await (const rows of regrouped(groups, limits)) {
      effort.add(rows);
      effort.check();
      if (!(await requested.next())) return;
      send({ kind: 'rows', rows });
    }
    send({ kind: 'end', ...(marks && { marks }) });
  } catch (error) {
    if (error instanceof SheetError) {
      send({ kind: 'refused', code: error.code, text: error.text.stored(), details: error.details });
    } else if (isRead) send({ kind: 'broken', error: inspect(error) });
    else throw error; // a disk error
  } finally {
    port.close();
  }
}

/** Detects the format from the content, because names are unreliable. */
async function openTable(
  bytes: Buffer,
  sheet: string | undefined,
  encoding: string | undefined,
  limits: ReadLimits,
  effort: Effort,
): Promise<Table> {
  if (bytes.length === 0) throw new SheetError('empty_file', t`The file is empty.`);
  if (isContainer(bytes)) return readXls(bytes, sheet, limits);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b || bytes.length < 4 || bytes[2]! > 8)
    return readCsv(bytes, encoding, limits, effort);
  const archive = await openArchive(bytes, limits, effort);
  if (archive.has('mimetype')) return readOds(archive, sheet, limits);
  const workbookPart = await mainPart(archive);
  const read = workbookPart.endsWith('.bin') ? readXlsb : readXlsx;
  return read(archive, workbookPart, sheet, limits);
}

async function bytesOf(source: string | Uint8Array, limits: ReadLimits): Promise<Buffer> {
  const size = typeof source === 'string' ? (await stat(source)).size : source.byteLength;
  const limit = limits.fileBytes;
  if (size > limit)
    throw new SheetError('file_too_large', t`The file is larger than ${Math.round(limit / 1024 / 1024)} MB.`, {
      limit,
    });
  if (typeof source === 'string') return readFile(source);
  return Buffer.from(source.buffer, source.byteOffset, source.byteLength);
}

/** Evens out group sizes: a message per row costs too much, and a large one blocks the receiver. */
async function* regrouped(groups: AsyncIterable<Row[]>, limits: ReadLimits): AsyncGenerator<Row[]> {
  const text = new TextCount(limits);
  let waiting: Row[] = [];
  let chars = 0;
  for await (const rows of groups) {
    for (const row of rows) {
      chars += text.add(row);
      waiting.push(row);
      if (waiting.length < groupRows && chars < groupChars) continue;
      yield waiting;
      waiting = [];
      chars = 0;
    }
  }
  if (waiting.length > 0) yield waiting;
}

/** Counts requested groups, and detects when the reader has closed the channel. */
class RequestedGroups {
  #count = 0;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(port: MessagePort) {
    port.on('message', () => {
      this.#count++;
      this.#wake?.();
    });
    port.on('close', () => {
      this.#isClosed = true;
      this.#wake?.();
    });
  }

  /** @returns false when the reader is gone */
  async next(): Promise<boolean> {
    while (this.#count === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#count--;
    return !this.#isClosed;
  }
}
