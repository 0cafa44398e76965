// Manages the parser process: starts it on demand, and restarts it after a crash, a hang, or memory growth.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ParseResult } from './child.ts';

interface Limits {
  /** CPU time limit per file; wall time would depend on the machine's load. */
  maxMs: number;
  maxMb: number;
}

export interface Result {
  outcome: 'taken' | 'refused' | 'crash' | 'hang' | 'memory';
  reason?: string;
  took_ms: number;
  peak_mb: number;
}

/** A process retains some memory per file, so it is replaced before that matters. */
const filesPerProcess = 500;
/** Wall time limit, as a multiple of the CPU time limit. */
const maxWait = 12;

export class Runner {
  readonly #kind: string;
  readonly #limits: Limits;
  #child: ChildProcess | undefined;
  #files = 0;

  constructor(kind: string, limits: Limits) {
    this.#kind = kind;
    this.#limits = limits;
  }

  async run(bytes: Buffer): Promise<Result> {
    if (this.#files++ >= filesPerProcess) this.stop();
    const child = this.#child ?? (await this.#start());
    const startedMs = performance.now();
    const result = await this.#parse(child, bytes);
    if (result.outcome !== 'taken' && result.outcome !== 'refused') this.stop();
    return { ...result, took_ms: performance.now() - startedMs };
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    this.#files = 0;
  }

  async #start(): Promise<ChildProcess> {
    const script = fileURLToPath(new URL('./child.ts', import.meta.url));
    const child = fork(script, [this.#kind], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.on('error', () => {}); // it also exits
    this.#child = child;
    await Promise.race([once(child, 'message'), once(child, 'exit')]); // it has loaded the parsers
    return child;
  }

  #parse(child: ChildProcess, bytes: Buffer): Promise<Omit<Result, 'took_ms'>> {
    const { maxMs, maxMb } = this.#limits;
    const startedMs = performance.now();
    const beforeMs = processorTime(child);
    return new Promise((resolve) => {
      let stderrTail = '';
      const onText = (text: Buffer) => {
        stderrTail = (stderrTail + text).slice(-4_000);
      };
      const end = (result: Omit<Result, 'took_ms'>) => {
        clearInterval(timer);
        child.stderr?.off('data', onText);
        child.off('message', onResult);
        child.off('exit', onExit);
        resolve(result);
      };
      const onResult = ({ outcome, fault, peak_mb: peakMb }: ParseResult) => {
        if (fault !== undefined) end({ outcome: 'crash', reason: fault, peak_mb: peakMb });
        else if (peakMb > maxMb) end({ outcome: 'memory', reason: `${Math.round(peakMb)} MB`, peak_mb: peakMb });
        else end({ outcome: outcome!, peak_mb: peakMb });
      };
      const onExit = () => end({ outcome: 'crash', reason: stderrTail || 'the process ended', peak_mb: 0 });
      const timer = setInterval(() => {
        const isBusy = processorTime(child) - beforeMs > maxMs;
        const isStuck = performance.now() - startedMs > maxWait * maxMs;
        if (isBusy || isStuck) end({ outcome: 'hang', reason: `more than ${maxMs} ms`, peak_mb: 0 });
      }, 100);
      child.stderr?.on('data', onText);
      child.on('message', onResult);
      child.on('exit', onExit);
      child.send({ bytes });
    });
  }
}

/** CPU time of all threads of a process, in ms; wall time where that is unavailable. */
function processorTime({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10; // clock ticks of 10 ms
  } catch {
    return performance.now();
  }
}
