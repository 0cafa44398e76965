/** Another reader: a program that answers to each path that it is told with what it reads there. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { PeerAnswer } from './table.ts';

/** Of one file; some make a reader hang. */
const longest_ms = 60_000;

export class Peer {
  readonly name: string;
  readonly #command: readonly [string, ...string[]];
  readonly #formats: RegExp;
  #process: ChildProcessWithoutNullStreams | undefined;
  #lines: Interface | undefined;

  /** @param formats what it can read, by the ending of the file's name */
  constructor(name: string, command: readonly [string, ...string[]], formats: RegExp) {
    this.name = name;
    this.#command = command;
    this.#formats = formats;
  }

  /** @returns undefined when it does not read files of this kind */
  async read(path: string): Promise<PeerAnswer | undefined> {
    if (!this.#formats.test(path)) return undefined;
    const process = this.#process ?? this.#start();
    const stop = new AbortController();
    const timer = setTimeout(() => process.kill('SIGKILL'), longest_ms);
    try {
      process.stdin.write(`${path}\n`);
      const line = once(this.#lines!, 'line', { signal: stop.signal });
      const ended = once(process, 'close', { signal: stop.signal });
      for (const each of [line, ended]) each.catch(() => {});
      const first = await Promise.race([line.then(([text]) => text as string), ended.then(() => undefined)]);
      if (first !== undefined) return JSON.parse(first);
      this.#process = undefined;
      return { fault: 'it crashed or took too long' };
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  stop(): void {
    this.#process?.kill('SIGKILL');
  }

  #start(): ChildProcessWithoutNullStreams {
    const [command, ...args] = this.#command;
    const process = spawn(command, args, { stdio: 'pipe' });
    process.stderr.resume();
    process.stdin.on('error', () => {}); // it has ended, which is seen
    this.#process = process;
    this.#lines = createInterface({ input: process.stdout });
    return process;
  }
}
