/** Another reader: a process that receives paths, and returns what it reads there. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { PeerResult } from './table.ts';

/** Per file; some files hang a reader. */
const maxMs = 60_000;

export class Peer {
  readonly name: string;
  readonly #command: readonly [string, ...string[]];
  readonly #formats: RegExp;
  #process: ChildProcessWithoutNullStreams | undefined;
  #onResult: (result: PeerResult) => void = () => {};

  /** @param formats file extensions that it can read */
  constructor(name: string, command: readonly [string, ...string[]], formats: RegExp) {
    this.name = name;
    this.#command = command;
    this.#formats = formats;
  }

  /** @returns undefined for unsupported formats */
  async read(path: string): Promise<PeerResult | undefined> {
    if (!this.#formats.test(path)) return undefined;
    this.#process ??= this.#start();
    const { promise, resolve } = Promise.withResolvers<PeerResult>();
    this.#onResult = resolve;
    const timer = setTimeout(() => this.stop(), maxMs);
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
    process.stdin.on('error', () => {}); // the process has ended, which is handled elsewhere
    process.on('error', () => {});
    process.once('close', () => {
      this.#process = undefined;
      this.#onResult({ fault: 'it crashed or took too long' });
    });
    createInterface({ input: process.stdout }).on('line', (line) => {
      if (/^\{"(sheets|fault)"/.test(line)) this.#onResult(JSON.parse(line)); // some readers print warnings
    });
    return process;
  }
}
