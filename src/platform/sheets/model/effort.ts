/**
 * How long a thread may work on one file: a small one can be made so that reading it takes hours. The processor's time
 * counts, so that a busy machine refuses nothing.
 */
import { say } from '../../../contract/languages/text.ts';
import { SheetError } from './error.ts';
import type { ReadLimits, Row } from './types.ts';

export class Effort {
  readonly #limits: ReadLimits;
  readonly #startedMs = spentMs();
  #values = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** What was read gives time for more. */
  add(rows: readonly Row[]): void {
    for (const { cells } of rows) for (const cell of cells) if (cell !== null) this.#values++;
  }

  /** Called again and again while a file is read. @throws SheetError when it takes too much */
  check(): void {
    const { effortMs, effortOfValueMs } = this.#limits;
    if (spentMs() - this.#startedMs > effortMs + this.#values * effortOfValueMs) throw takesTooLong();
  }
}

export function takesTooLong(): SheetError {
  return new SheetError('takes_too_long', say`The file takes too long to be read.`);
}

/** By this thread. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
