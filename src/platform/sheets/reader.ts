/**
 * Reads files in threads of their own, so that requests and heartbeats go on while a file of 100,000 rows is taken apart.
 * A thread that takes too much memory, or falls silent, is ended; the service does not notice more than a refused file.
 */
import { types } from 'node:util';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { say, Text } from '../../contract/languages/text.ts';
import { takesTooLong } from './model/effort.ts';
import { damaged, ReaderFault, SheetError } from './model/error.ts';
import { type ReadLimits, type Row, readLimits, type TableInfo } from './model/types.ts';
import type { ReadMessage, ReadTask } from './read-task.ts';
import { SheetMarks } from './sheet-marks.ts';

/** Groups of rows that may be under way: one is used while the next is made. */
const groupsAhead = 3;

export interface ReadOptions {
  /** The name of the sheet to read; by default the first that is visible. */
  sheet?: string;
  /** Of a csv file, where whoever sent it has said it; by default it is told from its content. */
  encoding?: string;
  limits?: Partial<ReadLimits>;
  signal?: AbortSignal;
}

export interface OpenTable extends AsyncDisposable {
  info: TableInfo;
  /** Groups of rows, each at most 500. To be read once; leaving the loop closes the table. */
  groups: AsyncIterable<Row[]>;
  /** The same, row by row. */
  rows: AsyncIterable<Row>;
  /** Empty until the last row has been read. */
  marks: SheetMarks;
  close(): void;
}

export class SheetReader {
  readonly #threads: number;
  readonly #heapMb: number;
  #pool: Promise<Piscina<ReadTask, void>> | undefined;

  /**
   * @param threads files that are read at the same time; others wait
   * @param heapMb what one of them may keep in memory
   */
  constructor(threads = 2, heapMb = 512) {
    this.#threads = threads;
    this.#heapMb = heapMb;
  }

  /**
   * @param source the path of a file, or its bytes, which are copied
   * @throws SheetError when the file can't be read, with a ReaderFault as its cause when that is the reader's mistake;
   *   what is wrong further down is thrown by the rows
   */
  async open(source: string | Uint8Array, options: ReadOptions = {}): Promise<OpenTable> {
    const limits = { ...readLimits, ...options.limits };
    const { port1: port, port2 } = new MessageChannel();
    const stop = new AbortController();
    const inbox = new Inbox(port);
    const task: ReadTask = { source, sheet: options.sheet, encoding: options.encoding, limits, port: port2 };
    this.#pool ??= this.#openPool();
    const pool = await this.#pool;
    const run = pool.run(task, {
      transferList: [port2],
      signal: options.signal ? AbortSignal.any([stop.signal, options.signal]) : stop.signal,
    });
    run.then(
      () => inbox.end(),
      (error) => inbox.fail(options.signal?.aborted ? options.signal.reason : threadFault(error)),
    );
    const receive = () => inbox.next(limits.silentMs, () => stop.abort());
    for (let group = 0; group < groupsAhead; group++) port.postMessage('more');
    try {
      await inbox.next(); // a thread is free, however long that took
      const first = await receive();
      if (first.kind !== 'info') throw unexpected(first);
      const marks = new SheetMarks();
      const groups = groupsOf(receive, port, marks);
      const close = () => port.close();
      return { info: first.info, groups, rows: flat(groups), marks, close, [Symbol.asyncDispose]: async () => close() };
    } catch (error) {
      port.close();
      throw error;
    }
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  /** By the first file: many processes never see one. */
  async #openPool(): Promise<Piscina<ReadTask, void>> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<ReadTask, void>({
      filename: new URL('./read-task.ts', import.meta.url).href,
      name: 'read',
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: 10_000,
      atomics: 'disabled', // a thread that waits for its next file has to hear that this one is closed
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb },
    });
    // Of a thread that has no task: the next gets another. Without a listener the error would end the process.
    pool.on('error', () => {});
    return pool;
  }
}

async function* groupsOf(
  receive: () => Promise<ReadMessage>,
  port: MessagePort,
  marks: SheetMarks,
): AsyncGenerator<Row[]> {
  try {
    for (;;) {
      const message = await receive();
      if (message.kind === 'end') {
        for (const cells of message.marks?.merged ?? []) marks.addMerged(cells);
        for (const row of message.marks?.hidden ?? []) marks.addHidden(row);
        return;
      }
      if (message.kind !== 'rows') throw unexpected(message);
      yield message.rows;
      port.postMessage('more');
    }
  } finally {
    port.close();
  }
}

async function* flat(groups: AsyncIterable<Row[]>): AsyncGenerator<Row> {
  for await (const rows of groups) yield* rows;
}

function unexpected(message: ReadMessage): Error {
  if (message.kind === 'refused') return new SheetError(message.code, Text.from(message.said), message.details);
  if (message.kind === 'broken') return damaged(say`it can't be read`, new ReaderFault(message.error));
  return new Error(`The reading thread sent ${message.kind} out of order.`);
}

/** A thread that ran out of memory was given a file that is too large in a way no other limit saw. */
function threadFault(error: unknown): unknown {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new SheetError('expands_too_much', say`The file needs more memory than reading it may take.`, {}, error);
}

/** Messages of a thread in their order, and its end behind the last of them. */
class Inbox {
  readonly #messages: ReadMessage[] = [];
  #fault: unknown;
  #hasEnded = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(port: MessagePort) {
    port.on('message', (message: ReadMessage) => {
      this.#messages.push(message);
      this.#wake?.();
    });
    port.on('close', () => {
      this.#isClosed = true;
      this.#wake?.();
    });
  }

  /** The thread is done. That can be known before its last messages are here. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** Nothing more comes. */
  fail(fault: unknown): void {
    this.#fault ??= fault;
    this.#wake?.();
  }

  /** @param onSilence ends the thread when it takes too long */
  async next(silentMs?: number, onSilence?: () => void): Promise<ReadMessage> {
    const timer =
      silentMs === undefined
        ? undefined
        : setTimeout(() => {
            this.fail(takesTooLong());
            onSilence?.();
          }, silentMs);
    try {
      for (;;) {
        const message = this.#messages.shift();
        if (message) return message;
        if (this.#fault !== undefined) throw this.#fault;
        if (this.#hasEnded && this.#isClosed) throw new Error('The rows of a file have no end.');
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
