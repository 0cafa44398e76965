/** Reads files in worker threads. A thread that uses too much memory or stalls is terminated; only its file is rejected. */
import { types } from 'node:util';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { Text, t } from '../../contract/languages/text.ts';
import { damaged, ReaderError, SheetError } from './model/error.ts';
import { timeLimitExceeded } from './model/time-limit.ts';
import { type ReadLimits, type Row, readLimits, type TableInfo } from './model/types.ts';
import type { ReadMessage, ReadTask } from './read-task.ts';
import { SheetMarks } from './sheet-marks.ts';

/** Groups in flight: one is processed while the next is read. */
const groupsAhead = 3;

export interface ReadOptions {
  /** The sheet to read; default: the first visible one. */
  sheet?: string;
  /** Of a csv file, if the sender declared it; detected by default. */
  encoding?: string;
  limits?: Partial<ReadLimits>;
  signal?: AbortSignal;
}

export interface OpenTable extends AsyncDisposable {
  info: TableInfo;
  /** Groups of at most 500 rows. Iterate once; leaving the loop closes the table. */
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

  /** @param threads files read at the same time; others wait @param heapMb memory limit of each thread */
  constructor(threads = 2, heapMb = 512) {
    this.#threads = threads;
    this.#heapMb = heapMb;
  }

  /**
   * @param source the path of a file, or its bytes, which are copied
   * @throws SheetError when the file is unreadable, caused by a ReaderError if the reader has a bug; errors further down are
   * thrown by the rows
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
      (error) => inbox.fail(options.signal?.aborted ? options.signal.reason : threadError(error)),
    );
    const receive = () => inbox.next(limits.silentMs, () => stop.abort());
    for (let group = 0; group < groupsAhead; group++) port.postMessage('more');
    try {
      await inbox.next(); // waits for a free thread, without a timeout
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

  /** Terminates the threads. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  /** Loads the library with the first file, because many processes never read one. */
  async #openPool(): Promise<Piscina<ReadTask, void>> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<ReadTask, void>({
      filename: new URL('./read-task.ts', import.meta.url).href,
      name: 'read',
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: 10_000,
      atomics: 'disabled', // an idle thread must notice when a channel closes
      resourceLimits: { maxOldGenerationSizeMb: this.#heapMb },
    });
    // An idle thread's error: the next task gets another thread. Without a listener the error would crash the process.
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
  if (message.kind === 'refused') return new SheetError(message.code, Text.from(message.text), message.details);
  if (message.kind === 'broken') return damaged(t`it can't be read`, new ReaderError(message.error));
  return new Error(`The reading thread sent ${message.kind} out of order.`);
}

/** Out of memory means that a file exceeded the thread's limit in a way that no other limit caught. */
function threadError(error: unknown): unknown {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new SheetError('expands_too_much', t`The file needs more memory than reading it may take.`, {}, error);
}

/** A thread's messages in order, and its end after the last one. */
class Inbox {
  readonly #messages: ReadMessage[] = [];
  #error: unknown;
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

  /** The thread has ended, maybe before its last messages arrive. */
  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  /** @param onSilence terminates the thread on a timeout */
  async next(silentMs?: number, onSilence?: () => void): Promise<ReadMessage> {
    const timer =
      silentMs === undefined
        ? undefined
        : setTimeout(() => {
            this.fail(timeLimitExceeded());
            onSilence?.();
          }, silentMs);
    try {
      for (;;) {
        const message = this.#messages.shift();
        if (message) return message;
        if (this.#error !== undefined) throw this.#error;
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
