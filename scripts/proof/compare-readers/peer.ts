/** Another reader: a program that answers to each path that it is told with what it reads there. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { PeerAnswer } from './table.ts';

/** Of one file; some make a reader hang. */
const longestMs = 60_000;

export class Peer {
  readonly name: string;
  readonly #command: readonly [string, ...string[]];
  readonly #formats: RegExp;
  #process: ChildProcessWithoutNullStreams | undefined;
  #answer: (answer: PeerAnswer) => void = () => {};

  /** @param formats what it can read, by the ending of the file's name */
  constructor(name: string, command: readonly [string, ...string[]], formats: RegExp) {
    this.name = name;
    this.#command = command;
    this.#formats = formats;
  }

  /** @returns undefined when it does not read files of this kind */
  async read(path: string): Promise<PeerAnswer | undefined> {
    if (!this.#formats.test(path)) return undefined;
    this.#process ??= this.#start();
    const { promise, resolve } = Promise.withResolvers<PeerAnswer>();
    this.#answer = resolve;
    const timer = setTimeout(() => this.stop(), longestMs);
    this.#process.stdin.write(`${path}\n`);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
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
    process.on('error', () => {});
    process.once('close', () => {
      this.#process = undefined;
      this.#answer({ fault: 'it crashed or took too long' });
    });
    createInterface({ input: process.stdout }).on('line', (line) => {
      if (/^\{"(sheets|fault)"/.test(line)) this.#answer(JSON.parse(line)); // some readers print what they think of a file
    });
    return process;
  }
}
